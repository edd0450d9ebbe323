import type { VersionedPaymentStatus } from '@store-sales/contract/console';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { arrangePaymentStatuses, changePaymentStatus, paymentStatusesQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { statusName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { DisableStatus } from './disable-status.tsx';
import { Dot, Row } from './list.tsx';
import { PaymentStatusForm } from './payment-status-form.tsx';
import { RecordBadge } from './record-badge.tsx';
import { EditDialog } from './record-dialog.tsx';
import { ReferenceList } from './reference-list.tsx';
import { useReorder } from './reorder.tsx';
import { StatusMenu } from './status-menu.tsx';

/** These two cannot be disabled. */
const always = ['unpaid', 'paid'];

export function PaymentStatuses() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { queryKey } = paymentStatusesQuery(storeId);
  const query = useQuery(paymentStatusesQuery(storeId));
  const [edited, setEdited] = useState<VersionedPaymentStatus | 'new'>();
  const [disabling, setDisabling] = useState<VersionedPaymentStatus>();
  const { buttons, liveRegion } = useReorder<VersionedPaymentStatus>(
    queryKey,
    (ids) => arrangePaymentStatuses(storeId, ids),
    (_cached, reordered) => reordered,
  );
  const close = () => setEdited(undefined);

  return (
    <>
      {liveRegion}
      <ReferenceList
        query={query}
        label={t('references.paymentStatuses')}
        section="payments"
        onAdd={() => setEdited('new')}
      >
        {(status, statuses) => (
          <Row
            key={status.id}
            name={statusName(status, t)}
            isOff={!status.isActive}
            mark={<Dot color={status.color} />}
            badges={
              <>
                {status.isPaid && <RecordBadge>{t('references.payments.isPaid')}</RecordBadge>}
                {status.code !== null && <RecordBadge>{t('references.system')}</RecordBadge>}
                {!status.isActive && <RecordBadge>{t('references.disabled')}</RecordBadge>}
              </>
            }
          >
            {buttons(statuses, status)}
            {always.includes(status.code ?? '') ? (
              <span style={{ width: 30 }} />
            ) : (
              <StatusMenu
                name={statusName(status, t)}
                isActive={status.isActive}
                queryKey={queryKey}
                {...(status.code === null && {
                  edit: { label: t('common.edit'), onClick: () => setEdited(status) },
                })}
                enable={() => changePaymentStatus(storeId, status.id, { isActive: true })}
                onDisable={() => setDisabling(status)}
              />
            )}
          </Row>
        )}
      </ReferenceList>
      <EditDialog edited={edited} section="payments" onClose={close}>
        {(of) => <PaymentStatusForm storeId={storeId} of={of} onClose={close} />}
      </EditDialog>
      <DisableStatus
        storeId={storeId}
        list="payment-statuses"
        of={disabling}
        disable={(id) => changePaymentStatus(storeId, id, { isActive: false })}
        onClose={() => setDisabling(undefined)}
      />
    </>
  );
}
