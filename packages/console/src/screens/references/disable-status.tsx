import { useQuery, useQueryClient } from '@tanstack/react-query';
import { query } from '../../api/query.ts';
import { updateCachedList } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { notify } from '../../shell/notify.tsx';
import { statusName } from '../../shell/system-names.ts';

type List = 'order-statuses' | 'payment-statuses';

const ordersToMove = (storeId: string, list: List, id: string) =>
  list === 'order-statuses'
    ? query('GET /stores/{storeId}/order-statuses/{statusId}/orders', { params: { storeId, statusId: id } })
    : query('GET /stores/{storeId}/payment-statuses/{paymentStatusId}/orders', {
        params: { storeId, paymentStatusId: id },
      });

interface DisableStatusProps<Shape> {
  storeId: string;
  list: List;
  of: Shape;
  disable(id: string): Promise<Shape>;
  onClose(): void;
}

/** Shows how many orders will move, and to which status. */
export function DisableStatus<Shape extends { id: string; code: string | null; name: string }>({
  storeId,
  list,
  of: status,
  disable,
  onClose,
}: DisableStatusProps<Shape>) {
  const { t, language } = useTranslation();
  const queryClient = useQueryClient();
  const { data, isLoading, error } = useQuery({
    ...ordersToMove(storeId, list, status.id),
    // The number of orders changes all the time.
    staleTime: 0,
    gcTime: 0,
  });

  function message() {
    if (!data) return t('references.countingOrders');
    const { count, isMore, to } = data;
    if (!count) return t('references.noOrders');
    const number = new Intl.NumberFormat(language).format(count);
    const label = isMore ? t('references.moreThan', { orders: number }) : number;
    return `${t('references.ordersMove', { orders: label, to: statusName(to, t) })} ${t('references.ordersStay')}`;
  }

  return (
    <Confirm
      title={t('references.disableTitle', { name: statusName(status, t) })}
      text={message()}
      action={t('references.disable')}
      isBusy={isLoading}
      error={error}
      run={() => disable(status.id)}
      onDone={(changed) => {
        updateCachedList(queryClient, [{ storeId }, `GET /stores/{storeId}/${list}`, {}], changed);
        notify(t('references.disabledDone'));
      }}
      onClose={onClose}
    />
  );
}
