import type { VersionedPaymentStatus } from '@store-sales/contract/console';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { paymentStatusesQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { statusName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { DisableStatus } from './disable-status.tsx';
import { Dot, Row } from './list.tsx';
import { PaymentStatusForm } from './payment-status-form.tsx';
import { RecordBadge } from './record-badge.tsx';
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
  const [edited, setEdited] = useState<{ of?: VersionedPaymentStatus }>();
  const [disabling, setDisabling] = useState<VersionedPaymentStatus>();
  const { buttons, liveRegion } = useReorder<VersionedPaymentStatus>(
    queryKey,
    (ids) => call('PUT /stores/{storeId}/payment-statuses', { params: { storeId }, body: { ids } }),
    (_cached, reordered) => reordered,
  );
  const setActive = (paymentStatusId: string, isActive: boolean) =>
    call('PATCH /stores/{storeId}/payment-statuses/{paymentStatusId}', {
      params: { storeId, paymentStatusId },
      body: { isActive },
    });

  return (
    <>
      {liveRegion}
      <ReferenceList
        query={query}
        label={t('references.paymentStatuses')}
        section="payments"
        onAdd={() => setEdited({})}
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
                  edit: { label: t('common.edit'), onClick: () => setEdited({ of: status }) },
                })}
                enable={() => setActive(status.id, true)}
                onDisable={() => setDisabling(status)}
              />
            )}
          </Row>
        )}
      </ReferenceList>
      {edited && <PaymentStatusForm storeId={storeId} {...edited} onClose={() => setEdited(undefined)} />}
      {disabling && (
        <DisableStatus
          storeId={storeId}
          list="payment-statuses"
          of={disabling}
          disable={(id) => setActive(id, false)}
          onClose={() => setDisabling(undefined)}
        />
      )}
    </>
  );
}
