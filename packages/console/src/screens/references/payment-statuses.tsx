import { Button, Menu } from '@mantine/core';
import type { PaymentStatus } from '@store-sales/contract';
import { IconBan, IconCheck, IconPencil, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { arrangePaymentStatuses, changePaymentStatus, keep, paymentStatusesQuery } from '../../api/references.ts';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.ts';
import { statusName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { Mark } from './badge.tsx';
import { DisableStatus } from './disable-status.tsx';
import { Dot, ListHead, Loaded, Row, Rows } from './list.tsx';
import { useArrangement } from './order-buttons.tsx';
import { PaymentStatusDialog } from './payment-status-form.tsx';
import { RecordMenu } from './record-menu.tsx';

/** Orders rest on these two; they can never be disabled. */
const always = ['unpaid', 'paid'];

export function PaymentStatuses() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const { queryKey } = paymentStatusesQuery(storeId);
  const query = useQuery(paymentStatusesQuery(storeId));
  const [edited, setEdited] = useState<PaymentStatus | 'new'>();
  const [disabling, setDisabling] = useState<PaymentStatus>();
  const { mutate: enable } = useMutation({
    mutationFn: (id: string) => changePaymentStatus(storeId, id, { isActive: true }),
    onSuccess(changed) {
      keep(queryClient, { queryKey }, changed);
      notify(t('references.enabledDone'));
    },
    onError: (error) => notify(explain(error, t), false),
  });
  const { buttons, spoken } = useArrangement<PaymentStatus>(
    queryKey,
    (ids) => arrangePaymentStatuses(storeId, ids),
    (_kept, arranged) => arranged,
  );

  const menu = (status: PaymentStatus) => {
    const isOwn = status.code === null;
    if (!isOwn && always.includes(status.code ?? '')) return null;
    return (
      <RecordMenu name={statusName(status, t)}>
        {isOwn && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setEdited(status)}>
            {t('references.edit')}
          </Menu.Item>
        )}
        {status.isActive ? (
          <Menu.Item leftSection={<IconBan size={16} />} onClick={() => setDisabling(status)}>
            {t('references.disable')}
          </Menu.Item>
        ) : (
          <Menu.Item leftSection={<IconCheck size={16} />} onClick={() => enable(status.id)}>
            {t('references.enable')}
          </Menu.Item>
        )}
      </RecordMenu>
    );
  };

  return (
    <>
      <ListHead
        text={t('references.payments.text')}
        action={
          <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
            {t('references.payments.add')}
          </Button>
        }
      />
      <Loaded query={query}>
        {(statuses) => (
          <section className="panel" aria-label={t('references.paymentStatuses')}>
            {spoken}
            <Rows label={t('references.paymentStatuses')}>
              {statuses.map((status) => (
                <Row
                  key={status.id}
                  name={statusName(status, t)}
                  isOff={!status.isActive}
                  mark={<Dot color={status.color} />}
                  badges={
                    <>
                      {status.isPaid && <Mark>{t('references.payments.isPaid')}</Mark>}
                      {status.code !== null && <Mark>{t('references.system')}</Mark>}
                      {!status.isActive && <Mark>{t('references.disabled')}</Mark>}
                    </>
                  }
                >
                  {buttons(statuses, status)}
                  {menu(status) ?? <span style={{ width: 30 }} />}
                </Row>
              ))}
            </Rows>
          </section>
        )}
      </Loaded>
      <PaymentStatusDialog storeId={storeId} edited={edited} onClose={() => setEdited(undefined)} />
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
