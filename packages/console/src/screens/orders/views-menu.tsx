import { Button, Text } from '@mantine/core';
import type { OrderColumn, SavedOrderView, SaveOrderView } from '@store-sales/contract/console';
import { IconBookmark, IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeView, createView, deleteView, viewsQuery } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import { explain } from '../../shell/explain.ts';
import { late } from '../../shell/late.tsx';
import { Menu } from '../../shell/menu.tsx';
import { notify } from '../../shell/notify.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import type { TableView } from './view.ts';

const ViewDialog = late(() => import('./view-dialog.tsx'));

interface ViewsMenuProps {
  view: TableView;
  columns: readonly OrderColumn[];
  onApply(view: SavedOrderView): void;
  onSaved(id: string | undefined): void;
}

/** Saved views: open, save, rename, delete. */
export function ViewsMenu({
  view: { view: id, cursor: _cursor, ...filters },
  columns,
  onApply,
  onSaved,
}: ViewsMenuProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const { data: views } = useQuery(viewsQuery(storeId));
  const maySave = useMay()('changeOrders');
  const [naming, setNaming] = useState<'new' | 'rename'>();
  const current = views?.find((saved) => saved.id === id);
  const shown = { filters, columns: [...columns] };

  const reload = () => queryClient.invalidateQueries({ queryKey: viewsQuery(storeId).queryKey });
  async function save(viewId: string | undefined, body: SaveOrderView) {
    const saved = viewId ? await changeView(storeId, viewId, body) : await createView(storeId, body);
    await reload();
    return saved.id;
  }
  const onError = (error: unknown) => notify(explain(error, t), false);
  const update = useMutation({
    mutationFn: (saved: SavedOrderView) => save(saved.id, { ...shown, name: saved.name }),
    onSuccess: () => notify(t('orders.viewSaved')),
    onError,
  });
  const remove = useMutation({
    mutationFn: (saved: SavedOrderView) => deleteView(storeId, saved.id),
    async onSuccess() {
      await reload();
      onSaved(undefined);
      notify(t('orders.viewDeleted'));
    },
    onError,
  });

  if (!maySave && !views?.length) return null;
  return (
    <>
      <Menu
        align="end"
        maxWidth={340}
        target={
          <Button
            variant="default"
            maw={220}
            leftSection={<IconBookmark size={18} />}
            rightSection={<IconChevronDown size={16} />}
          >
            {current?.name ?? t('orders.views')}
          </Button>
        }
      >
        {views?.length === 0 && <Menu.Label>{t('orders.noViews')}</Menu.Label>}
        {views?.map((saved) => (
          <Menu.Item
            key={saved.id}
            leftSection={<IconCheck size={16} style={{ visibility: saved.id === id ? 'visible' : 'hidden' }} />}
            onClick={() => onApply(saved)}
          >
            <Text inherit truncate>
              {saved.name}
            </Text>
          </Menu.Item>
        ))}
        {maySave && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={() => setNaming('new')}>{t('orders.saveView')}</Menu.Item>
          </>
        )}
        {maySave && current && (
          <>
            <Menu.Item onClick={() => update.mutate(current)}>
              {t('orders.updateView', { name: current.name })}
            </Menu.Item>
            <Menu.Item onClick={() => setNaming('rename')}>{t('orders.renameView', { name: current.name })}</Menu.Item>
            <Menu.Item onClick={() => remove.mutate(current)}>
              {t('orders.deleteView', { name: current.name })}
            </Menu.Item>
          </>
        )}
      </Menu>
      {naming && (
        <ViewDialog
          renamed={naming === 'rename' ? current?.name : undefined}
          onSave={(name) =>
            naming === 'rename' && current
              ? save(current.id, { name, filters: current.filters, columns: current.columns })
              : save(undefined, { ...shown, name })
          }
          onSaved={onSaved}
          onClose={() => setNaming(undefined)}
        />
      )}
    </>
  );
}
