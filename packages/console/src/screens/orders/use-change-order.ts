import type { OrderChange } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/client.ts';
import { changeOrder, keepOrder, orderQuery } from '../../api/orders.ts';
import { useStore } from '../../shell/use-store.ts';

/**
 * Changes an order as it was last seen here. When somebody else was first, it is read again, so that the next try
 * is made with open eyes.
 */
export function useChangeOrder(orderId: string) {
  const queryClient = useQueryClient();
  const { id: storeId } = useStore();
  return async (change: OrderChange) => {
    const { queryKey } = orderQuery(storeId, orderId);
    try {
      const paper = await changeOrder(storeId, orderId, change, queryClient.getQueryData(queryKey)?.etag);
      keepOrder(queryClient, storeId, paper);
      return paper;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'precondition_failed')
        await queryClient.invalidateQueries({ queryKey });
      throw error;
    }
  };
}
