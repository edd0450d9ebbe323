import { IconBan, IconCheck, IconPencil } from '@tabler/icons-react';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { updateCachedList } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Menu } from '../../shell/menu.tsx';
import { notify } from '../../shell/notify.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useMay } from '../../shell/use-may.ts';
import { RecordMenu } from './record-menu.tsx';

interface StatusMenuProps<Shape> {
  name: string;
  isActive: boolean;
  queryKey: QueryKey;
  /** System statuses cannot be edited. */
  edit?: { label: string; onClick(): void };
  enable(): Promise<Shape>;
  onDisable(): void;
}

export function StatusMenu<Shape extends { id: string }>(props: StatusMenuProps<Shape>) {
  const { name, isActive, queryKey, edit, enable, onDisable } = props;
  const { t } = useTranslation();
  const may = useMay();
  const queryClient = useQueryClient();
  const { mutate } = useAction(enable, (changed) => {
    updateCachedList(queryClient, queryKey, changed);
    notify(t('references.enabledDone'));
  });
  if (!may('changeOrderSettings')) return null;
  return (
    <RecordMenu name={name}>
      {edit && (
        <Menu.Item leftSection={<IconPencil size={16} />} onClick={edit.onClick}>
          {edit.label}
        </Menu.Item>
      )}
      {isActive ? (
        <Menu.Item leftSection={<IconBan size={16} />} onClick={onDisable}>
          {t('references.disable')}
        </Menu.Item>
      ) : (
        <Menu.Item leftSection={<IconCheck size={16} />} onClick={() => mutate()}>
          {t('references.enable')}
        </Menu.Item>
      )}
    </RecordMenu>
  );
}
