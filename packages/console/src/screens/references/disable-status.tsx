import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keep, ordersToMoveQuery, type StatusList } from '../../api/references.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.ts';
import { statusName } from '../../shell/system-names.ts';

interface DisableStatusProps<Shape> {
  storeId: string;
  list: StatusList;
  /** The status that is asked about; nothing while nothing is. */
  of: Shape | undefined;
  disable(id: string): Promise<Shape>;
  onClose(): void;
}

/** Says how many orders will move, and where, before it lets them. */
export function DisableStatus<Shape extends { id: string; code: string | null; name: string }>({
  storeId,
  list,
  of: status,
  disable,
  onClose,
}: DisableStatusProps<Shape>) {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const orders = useQuery({
    ...ordersToMoveQuery(storeId, list, status?.id ?? ''),
    enabled: status !== undefined,
  });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: disable,
    onSuccess(changed) {
      keep(queryClient, { queryKey: ['stores', storeId, 'references', list] }, changed);
      notify(t('references.disabledDone'));
      onClose();
    },
  });
  const problem = error ?? orders.error;

  function words() {
    if (!orders.data) return t('references.countingOrders');
    const { count, isMore, to } = orders.data;
    if (!count) return t('references.noOrders');
    const number = new Intl.NumberFormat(i18n.language).format(count);
    const shown = isMore ? t('references.moreThan', { orders: number }) : number;
    return `${t('references.ordersMove', { orders: shown, to: statusName(to, t) })} ${t('references.ordersStay')}`;
  }

  return (
    <Confirm
      isOpen={status !== undefined}
      title={t('references.disableTitle', { name: status ? statusName(status, t) : '' })}
      text={words()}
      action={t('references.disable')}
      isBusy={isPending || orders.isLoading}
      problem={problem ? explain(problem, t) : undefined}
      onConfirm={() => status && mutate(status.id)}
      onClose={() => {
        reset();
        onClose();
      }}
    />
  );
}
