import { ActionIcon, Button } from '@mantine/core';
import type { StatusMail, VersionedOrderStatus } from '@store-sales/contract/console';
import { type StatusGroup, statusGroups } from '@store-sales/contract/values';
import { IconMail, IconMailCheck, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { orderStatusesQuery, statusMailsQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { Panel } from '../../shell/panel.tsx';
import { statusName } from '../../shell/system-names.ts';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { DisableStatus } from './disable-status.tsx';
import { ListHead, Row, Rows } from './list.tsx';
import { OrderStatusForm } from './order-status-form.tsx';
import { RecordBadge } from './record-badge.tsx';
import { useReorder } from './reorder.tsx';
import { StatusMenu } from './status-menu.tsx';

const StatusMailForm = lazyDialog(() => import('./status-mail-form.tsx'));

const setActive = (storeId: string, statusId: string, isActive: boolean) =>
  call('PATCH /stores/{storeId}/order-statuses/{statusId}', { params: { storeId, statusId }, body: { isActive } });

export function OrderStatuses() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const query = useQuery(orderStatusesQuery(storeId));
  const [edited, setEdited] = useState<{ group: StatusGroup; of?: VersionedOrderStatus }>();
  const [disabling, setDisabling] = useState<VersionedOrderStatus>();
  const [told, setTold] = useState<VersionedOrderStatus>();
  const { mailEnabled } = useQuery(sessionQuery).data ?? {};
  const { data: mails } = useQuery({ ...statusMailsQuery(storeId), enabled: mailEnabled === true });
  const toldMail = told && mails?.find(({ statusId }) => statusId === told.id);

  return (
    <>
      <ListHead text={t('references.orders.text')} />
      <Loaded query={query}>
        {(statuses) =>
          statusGroups.map((group) => (
            <StatusGroupPanel
              key={group}
              storeId={storeId}
              group={group}
              statuses={statuses.filter((status) => status.group === group)}
              onAdd={() => setEdited({ group })}
              onRename={(of) => setEdited({ group, of })}
              onDisable={setDisabling}
              mails={mails}
              onMail={setTold}
            />
          ))
        }
      </Loaded>
      {edited && <OrderStatusForm storeId={storeId} {...edited} onClose={() => setEdited(undefined)} />}
      {told && toldMail && <StatusMailForm status={told} mail={toldMail} onClose={() => setTold(undefined)} />}
      {disabling && (
        <DisableStatus
          storeId={storeId}
          list="order-statuses"
          of={disabling}
          disable={(id) => setActive(storeId, id, false)}
          onClose={() => setDisabling(undefined)}
        />
      )}
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
  /** Undefined if mail is off. */
  mails: StatusMail[] | undefined;
  onMail(status: VersionedOrderStatus): void;
}

function StatusGroupPanel({ storeId, group, statuses, onAdd, onRename, onDisable, mails, onMail }: PanelProps) {
  const { t } = useTranslation();
  const mayChange = useMay()('changeOrderSettings');
  const { queryKey } = orderStatusesQuery(storeId);
  const { buttons, liveRegion } = useReorder<VersionedOrderStatus>(
    queryKey,
    (ids) => call('PUT /stores/{storeId}/order-statuses', { params: { storeId }, body: { group, ids } }),
    (cached, reordered) => {
      const next = [...reordered];
      return cached.map((status) => (status.group === group ? (next.shift() ?? status) : status));
    },
  );
  const title = t(`orders.groups.${group}`);

  return (
    <Panel
      title={title}
      isList
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
            {mails && status.isActive && (
              <MailButton
                name={statusName(status, t)}
                isOn={mails.some(({ statusId, isEnabled }) => isEnabled && statusId === status.id)}
                onClick={() => onMail(status)}
              />
            )}
            {buttons(statuses, status)}
            {status.code !== null ? (
              <span style={{ width: 30 }} />
            ) : (
              <StatusMenu
                name={status.name}
                isActive={status.isActive}
                queryKey={queryKey}
                edit={{ label: t('references.rename'), onClick: () => onRename(status) }}
                enable={() => setActive(storeId, status.id, true)}
                onDisable={() => onDisable(status)}
              />
            )}
          </Row>
        ))}
      </Rows>
    </Panel>
  );
}

/** Members who may not change it see whether customers are mailed. */
function MailButton({ name, isOn, onClick }: { name: string; isOn: boolean; onClick(): void }) {
  const { t } = useTranslation();
  const mayChange = useMay()('changeOrderSettings');
  const label = t(isOn ? 'references.mail.on' : 'references.mail.off', { name });
  if (!mayChange) return isOn && <RecordBadge hint={label}>{t('references.mail.told')}</RecordBadge>;
  return (
    <ActionIcon size={34} aria-label={label} title={label} {...(isOn && { color: 'teal' })} onClick={onClick}>
      {isOn ? <IconMailCheck size={18} /> : <IconMail size={18} />}
    </ActionIcon>
  );
}
