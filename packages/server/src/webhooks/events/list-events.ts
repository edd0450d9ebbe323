import type { EventQuery } from '@store-sales/contract';
import type { Queryable } from '../../db/database.ts';
import { listWindow, type Paging } from '../../db/lists/list.ts';
import { isSent } from '../outbox/outbox.ts';
import * as queries from './events.queries.ts';

/** A page of the events of a store, as they are sent to endpoints, whether or not there is one. */
export function listEvents(db: Queryable, paging: Paging, storeId: string, query: EventQuery): Promise<Buffer> {
  const { 'filter[type]': type, 'filter[orderId]': orderId } = query;
  const equal = [isSent('t'), ...(orderId === undefined ? [] : [queries.ofOrder(orderId.toLowerCase())])];
  const unindexed = type === undefined ? [] : [queries.ofType(type)];
  return queries.pageAsJson(db, listWindow(paging, queries.source, storeId, query, equal, unindexed));
}
