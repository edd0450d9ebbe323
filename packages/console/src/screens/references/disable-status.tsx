import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ordersToMoveQuery, type StatusList, updateCachedList } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.tsx';
import { statusName } from '../../shell/system-names.ts';

interface DisableStatusProps<Shape> {
  storeId: string;
  list: StatusList;
  /** The dialog is open while this is set. */
  of: Shape | undefined;
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
  const orders = useQuery({
    ...ordersToMoveQuery(storeId, list, status?.id ?? ''),
    enabled: status !== undefined,
  });
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: disable,
    onSuccess(changed) {
      updateCachedList(queryClient, { queryKey: ['stores', storeId, 'references', list] }, changed);
      notify(t('references.disabledDone'));
      onClose();
    },
  });
  const problem = error ?? orders.error;

  function message() {
    if (!orders.data) return t('references.countingOrders');
    const { count, isMore, to } = orders.data;
    if (!count) return t('references.noOrders');
    const number = new Intl.NumberFormat(language).format(count);
    const label = isMore ? t('references.moreThan', { orders: number }) : number;
    return `${t('references.ordersMove', { orders: label, to: statusName(to, t) })} ${t('references.ordersStay')}`;
  }

  return (
    <Confirm
      isOpen={status !== undefined}
      title={t('references.disableTitle', { name: status ? statusName(status, t) : '' })}
      text={message()}
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
