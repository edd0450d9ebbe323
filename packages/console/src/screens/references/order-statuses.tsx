import { Button, Menu } from '@mantine/core';
import type { OrderStatus, StatusGroup } from '@store-sales/contract';
import { IconBan, IconCheck, IconPencil, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { arrangeOrderStatuses, changeOrderStatus, keep, orderStatusesQuery } from '../../api/references.ts';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.ts';
import { statusName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { Mark } from './badge.tsx';
import { DisableStatus } from './disable-status.tsx';
import { Group } from './group.tsx';
import { ListHead, Loaded, Row, Rows } from './list.tsx';
import { useArrangement } from './order-buttons.tsx';
import { OrderStatusDialog } from './order-status-form.tsx';
import { RecordMenu } from './record-menu.tsx';

/** Stages of an order, in order. */
const groups: StatusGroup[] = ['new', 'packing', 'delivering', 'completed', 'cancelled', 'returned'];

export function OrderStatuses() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const query = useQuery(orderStatusesQuery(storeId));
  const [edited, setEdited] = useState<{ group: StatusGroup; of?: OrderStatus }>();
  const [disabling, setDisabling] = useState<OrderStatus>();

  return (
    <>
      <ListHead text={t('references.orders.text')} />
      <Loaded query={query}>
        {(statuses) =>
          groups.map((group) => (
            <StatusGroupPanel
              key={group}
              storeId={storeId}
              group={group}
              statuses={statuses.filter((status) => status.group === group)}
              onAdd={() => setEdited({ group })}
              onRename={(of) => setEdited({ group, of })}
              onDisable={setDisabling}
            />
          ))
        }
      </Loaded>
      <OrderStatusDialog storeId={storeId} edited={edited} onClose={() => setEdited(undefined)} />
      <DisableStatus
        storeId={storeId}
        list="order-statuses"
        of={disabling}
        disable={(id) => changeOrderStatus(storeId, id, { isActive: false })}
        onClose={() => setDisabling(undefined)}
      />
    </>
  );
}

interface PanelProps {
  storeId: string;
  group: StatusGroup;
  statuses: OrderStatus[];
  onAdd(): void;
  onRename(status: OrderStatus): void;
  onDisable(status: OrderStatus): void;
}

function StatusGroupPanel({ storeId, group, statuses, onAdd, onRename, onDisable }: PanelProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { queryKey } = orderStatusesQuery(storeId);
  const { mutate: enable } = useMutation({
    mutationFn: (id: string) => changeOrderStatus(storeId, id, { isActive: true }),
    onSuccess(changed) {
      keep(queryClient, { queryKey }, changed);
      notify(t('references.enabledDone'));
    },
    onError: (error) => notify(explain(error, t), false),
  });
  const { buttons, spoken } = useArrangement<OrderStatus>(
    queryKey,
    (ids) => arrangeOrderStatuses(storeId, group, ids),
    (kept, arranged) => {
      const next = [...arranged];
      return kept.map((status) => (status.group === group ? (next.shift() ?? status) : status));
    },
  );
  const title = t(`orders.groups.${group}`);

  return (
    <Group
      title={title}
      action={
        <Button
          variant="subtle"
          size="compact-sm"
          mr={-8}
          leftSection={<IconPlus size={16} />}
          aria-label={t('references.orders.addTo', { group: title })}
          onClick={onAdd}
        >
          {t('references.orders.add')}
        </Button>
      }
    >
      {spoken}
      <Rows label={title}>
        {statuses.map((status) => (
          <Row
            key={status.id}
            name={statusName(status, t)}
            isOff={!status.isActive}
            badges={
              status.code !== null ? (
                <Mark hint={t('references.orders.mainHint')}>{t('references.orders.main')}</Mark>
              ) : status.isActive ? null : (
                <Mark>{t('references.disabled')}</Mark>
              )
            }
          >
            {buttons(statuses, status)}
            {status.code !== null ? (
              <span style={{ width: 30 }} />
            ) : (
              <RecordMenu name={status.name}>
                <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => onRename(status)}>
                  {t('references.rename')}
                </Menu.Item>
                {status.isActive ? (
                  <Menu.Item leftSection={<IconBan size={16} />} onClick={() => onDisable(status)}>
                    {t('references.disable')}
                  </Menu.Item>
                ) : (
                  <Menu.Item leftSection={<IconCheck size={16} />} onClick={() => enable(status.id)}>
                    {t('references.enable')}
                  </Menu.Item>
                )}
              </RecordMenu>
            )}
          </Row>
        ))}
      </Rows>
    </Group>
  );
}
