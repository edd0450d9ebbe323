import type { CustomerSales } from '@store-sales/contract/console';
import type { Queryable } from '../../db/database.ts';
import * as queries from './sales.queries.ts';
import { countsAsSale } from './sales.ts';

/** Maximum orders counted, so that the time does not grow with the customer: about 10 ms. */
const MAX_COUNTED = 10_000;

/** Number and total of a customer's orders, under the rule of the sales figures. */
export async function customerSales(db: Queryable, storeId: string, customerId: string): Promise<CustomerSales> {
  const groups = new Map((await queries.statusesOf(db, storeId)).map((status) => [status.id, status]));
  const result = { orders: 0, sales: 0, revenue: 0 };
  for (const { status_id, orders, revenue } of await queries.sumCustomer(db, storeId, customerId, MAX_COUNTED)) {
    result.orders += orders;
    if (!countsAsSale(groups.get(status_id) ?? { group: '' })) continue;
    result.sales += orders;
    result.revenue += Number(revenue);
  }
  const isPartial =
    result.orders === MAX_COUNTED && (await queries.hasMoreOrders(db, storeId, customerId, MAX_COUNTED));
  return { ...result, isPartial };
}
