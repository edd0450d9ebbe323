import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { updateCachedList } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { SavedSwitch } from '../../shell/saved-switch.tsx';
import { useMay } from '../../shell/use-may.ts';
import { RecordBadge } from './record-badge.tsx';

interface ActiveSwitchProps<Shape> {
  of: Shape;
  label: string;
  queryKey: QueryKey;
  save(isActive: boolean): Promise<Shape>;
}

/** A badge for those who may not switch it. */
export function ActiveSwitch<Shape extends { id: string; isActive: boolean }>({
  of: { isActive },
  label,
  queryKey,
  save,
}: ActiveSwitchProps<Shape>) {
  const { t } = useTranslation();
  const may = useMay();
  const queryClient = useQueryClient();
  if (!may('changeOrderSettings')) return isActive ? null : <RecordBadge>{t('references.disabled')}</RecordBadge>;
  return (
    <SavedSwitch
      aria-label={label}
      checked={isActive}
      save={save}
      onSaved={(changed) => updateCachedList(queryClient, queryKey, changed)}
    />
  );
}
