import type { OrderChange } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/client.ts';
import { changeOrder, orderQuery, updateCachedOrder } from '../../api/orders.ts';
import { useStore } from '../../shell/use-store.ts';

/**
 * Sends the ETag of the version that the change is based on, by default the cached order's; on a conflict, reloads the
 * order before the user tries again.
 */
export function useChangeOrder(orderId: string) {
  const queryClient = useQueryClient();
  const { id: storeId } = useStore();
  const { queryKey } = orderQuery(storeId, orderId);
  return async (change: OrderChange, etag = queryClient.getQueryData(queryKey)?.etag) => {
    try {
      const details = await changeOrder(storeId, orderId, change, etag);
      updateCachedOrder(queryClient, storeId, details);
      return details;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'precondition_failed')
        await queryClient.invalidateQueries({ queryKey });
      throw error;
    }
  };
}
