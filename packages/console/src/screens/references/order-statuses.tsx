import { Button } from '@mantine/core';
import type { StatusGroup } from '@store-sales/contract';
import type { VersionedOrderStatus } from '@store-sales/contract/console';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { arrangeOrderStatuses, changeOrderStatus, orderStatusesQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { statusName } from '../../shell/system-names.ts';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { DisableStatus } from './disable-status.tsx';
import { ListHead, Loaded, Row, Rows } from './list.tsx';
import { ListPanel } from './list-panel.tsx';
import { OrderStatusDialog } from './order-status-form.tsx';
import { RecordBadge } from './record-badge.tsx';
import { useReorder } from './reorder.tsx';
import { StatusMenu } from './status-menu.tsx';

const groups: StatusGroup[] = ['new', 'packing', 'delivering', 'completed', 'cancelled', 'returned'];

export function OrderStatuses() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const query = useQuery(orderStatusesQuery(storeId));
  const [edited, setEdited] = useState<{ group: StatusGroup; of?: VersionedOrderStatus }>();
  const [disabling, setDisabling] = useState<VersionedOrderStatus>();

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
  statuses: VersionedOrderStatus[];
  onAdd(): void;
  onRename(status: VersionedOrderStatus): void;
  onDisable(status: VersionedOrderStatus): void;
}

function StatusGroupPanel({ storeId, group, statuses, onAdd, onRename, onDisable }: PanelProps) {
  const { t } = useTranslation();
  const mayChange = useMay()('changeOrderSettings');
  const { queryKey } = orderStatusesQuery(storeId);
  const { buttons, liveRegion } = useReorder<VersionedOrderStatus>(
    queryKey,
    (ids) => arrangeOrderStatuses(storeId, group, ids),
    (cached, reordered) => {
      const next = [...reordered];
      return cached.map((status) => (status.group === group ? (next.shift() ?? status) : status));
    },
  );
  const title = t(`orders.groups.${group}`);

  return (
    <ListPanel
      title={title}
      action={
        mayChange && (
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
        )
      }
    >
      {liveRegion}
      <Rows label={title}>
        {statuses.map((status) => (
          <Row
            key={status.id}
            name={statusName(status, t)}
            isOff={!status.isActive}
            badges={
              status.code !== null ? (
                <RecordBadge hint={t('references.orders.mainHint')}>{t('references.orders.main')}</RecordBadge>
              ) : status.isActive ? null : (
                <RecordBadge>{t('references.disabled')}</RecordBadge>
              )
            }
          >
            {buttons(statuses, status)}
            {status.code !== null ? (
              <span style={{ width: 30 }} />
            ) : (
              <StatusMenu
                name={status.name}
                isActive={status.isActive}
                queryKey={queryKey}
                edit={{ label: t('references.rename'), onClick: () => onRename(status) }}
                enable={() => changeOrderStatus(storeId, status.id, { isActive: true })}
                onDisable={() => onDisable(status)}
              />
            )}
          </Row>
        ))}
      </Rows>
    </ListPanel>
  );
}
