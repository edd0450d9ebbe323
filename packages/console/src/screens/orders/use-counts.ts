import type { OrderCounts, OrderPageQuery } from '@store-sales/contract/console';
import { useQuery } from '@tanstack/react-query';
import { countsQuery } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';

/** Without counts if the filters include a search or a source: no index counts these. */
export function useCounts(storeId: string, { payment, from, to, q, source }: OrderPageQuery) {
  const isCounted = q === undefined && source === undefined;
  const query = { ...(payment && { payment }), ...(from && { from }), ...(to && { to }) };
  const { data } = useQuery({ ...countsQuery(storeId, query), enabled: isCounted });
  return isCounted ? data : undefined;
}

export type Count = Pick<OrderCounts['all'], 'count' | 'isMore'>;

export function useCountText() {
  const { language } = useTranslation();
  return ({ count, isMore }: Count) => `${count.toLocaleString(language)}${isMore ? '+' : ''}`;
}
