import type { OrderCounts, OrderPageQuery } from '@store-sales/contract/console';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';

/** Without counts if the filters include a search, a source, what is due or additional data: no index counts these. */
export function useCounts(storeId: string, { payment, from, to, q, source, due, metadata }: OrderPageQuery) {
  const isCounted = q === undefined && source === undefined && due === undefined && metadata === undefined;
  const filters = { ...(payment && { payment }), ...(from && { from }), ...(to && { to }) };
  const { data } = useQuery({
    ...query('GET /stores/{storeId}/orders/counts', { params: { storeId }, query: filters }),
    placeholderData: keepPreviousData,
    enabled: isCounted,
  });
  return isCounted ? data : undefined;
}

export type Count = Pick<OrderCounts['all'], 'count' | 'isMore'>;

export function useCountText() {
  const { language } = useTranslation();
  return ({ count, isMore }: Count) => `${count.toLocaleString(language)}${isMore ? '+' : ''}`;
}
