import { Button, Text } from '@mantine/core';
import type { OrderColumn, SavedOrderView, SaveOrderView } from '@store-sales/contract/console';
import { IconBookmark, IconCheck, IconChevronDown } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { Menu } from '../../shell/menu.tsx';
import { notify } from '../../shell/notify.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import type { TableView } from './view.ts';

const ViewDialog = lazyDialog(() => import('./view-dialog.tsx'));

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
  const list = query('GET /stores/{storeId}/order-views', { params: { storeId } });
  const { data: views } = useQuery(list);
  const maySave = useMay()('changeOrders');
  const [naming, setNaming] = useState<'new' | 'rename'>();
  const current = views?.find((saved) => saved.id === id);
  const shown = { filters, columns: [...columns] };

  const reload = () => queryClient.invalidateQueries(list);
  async function save(viewId: string | undefined, body: SaveOrderView) {
    const saved = viewId
      ? await call('PUT /stores/{storeId}/order-views/{viewId}', { params: { storeId, viewId }, body })
      : await call('POST /stores/{storeId}/order-views', { params: { storeId }, body });
    await reload();
    return saved.id;
  }
  const update = useAction(
    (saved: SavedOrderView) => save(saved.id, { ...shown, name: saved.name }),
    () => notify(t('orders.viewSaved')),
  );
  const remove = useAction(
    (saved: SavedOrderView) =>
      call('DELETE /stores/{storeId}/order-views/{viewId}', { params: { storeId, viewId: saved.id } }),
    async () => {
      await reload();
      onSaved(undefined);
      notify(t('orders.viewDeleted'));
    },
  );

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
