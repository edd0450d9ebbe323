import { Switch } from '@mantine/core';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { updateCachedList } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.tsx';
import { useMay } from '../../shell/use-may.ts';

import { RecordBadge } from './record-badge.tsx';

interface Switched {
  id: string;
  name: string;
  isActive: boolean;
}

interface ActiveSwitchProps<Shape extends Switched> {
  of: Shape;
  label: string;
  queryKey: QueryKey;
  save(isActive: boolean): Promise<Shape>;
}

/** Updates optimistically. A badge for those who may not switch it. */
export function ActiveSwitch<Shape extends Switched>({ of: record, label, queryKey, save }: ActiveSwitchProps<Shape>) {
  const { t } = useTranslation();
  const may = useMay();
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: save,
    onSuccess: (changed) => updateCachedList(queryClient, { queryKey }, changed),
    onError: (error) => notify(explain(error, t), false),
  });
  if (!may('changeOrderSettings'))
    return record.isActive ? null : <RecordBadge>{t('references.disabled')}</RecordBadge>;
  return (
    <Switch
      aria-label={label}
      checked={isPending ? variables : record.isActive}
      onChange={(event) => mutate(event.currentTarget.checked)}
      withThumbIndicator={false}
    />
  );
}
