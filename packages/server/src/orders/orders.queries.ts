import type { OrderItem, SortOrder } from '@store-sales/contract';
import type { Queryable, Transaction } from '../db/database.ts';
import type { Dialect } from '../db/dialect.ts';
import { jsonPage } from '../db/json-page.ts';
import { type Key, type ListSource, readPage, type Window } from '../db/list.ts';
import { preparedTemplate } from '../db/prepared-template.ts';
import { empty, join, raw, type Sql, sql } from '../db/sql.ts';
import type { DocumentParts } from './document.ts';

export const source = { table: 'orders', createdTie: 'number' };

/**
 * The table with an index hint for these statuses. With two time bounds, SQLite rates every index that begins with the
 * store equally and may choose one without the status (1,000,000 orders: 1.6 s instead of 5 ms).
 */
export function sourceOf(
  { indexedBy }: Dialect,
  { statusId, paymentStatusId }: { statusId: string | undefined; paymentStatusId: string | undefined },
  order: SortOrder = 'createdAt:desc',
): ListSource {
  if (!statusId && !paymentStatusId) return source;
  const equal = `${statusId ? 'status_' : ''}${paymentStatusId ? 'payment_' : ''}`;
  const sorted = order.startsWith('updatedAt') ? 'updated' : 'created';
  return { ...source, rows: sql`orders t ${indexedBy(`orders_${equal}${sorted}`)}` };
}

/** A status under its current name, as shown in an order. */
const statusJson = ({ quoted }: Dialect, more = empty) =>
  sql`'{"id":"' || id || '","code":' || coalesce(${quoted(raw('code'))}, 'null') || ',"name":' || ${quoted(raw('name'))} ${more} || '}'`;

/**
 * The statuses of a store as members of an order's JSON, built once per status instead of once per order: a page of 50
 * takes a quarter of the time (docs/decisions/order-document.md).
 */
const statusMembers = preparedTemplate(
  (dialect, storeId: string) =>
    sql`s as materialized (
        select id, ',"status":' || ${statusJson(dialect)} as json from order_statuses where store_id = ${storeId}),
      p as materialized (
        select id, ',"paymentStatus":' || ${statusJson(dialect, sql`|| ',"isPaid":' || ${dialect.boolean(raw('is_paid'))}`)} as json
        from payment_statuses where store_id = ${storeId})`,
);

/** An order as response JSON, built in SQL: the parts of the stored document, and between them what is joined. */
const json = (withItems: boolean, withEtag = false) =>
  raw(`t.document_head || (select json from s where s.id = t.status_id)
        || (select json from p where p.id = t.payment_status_id) || t.document
        ${withItems ? `|| ',"items":' || t.items` : ''} ${withEtag ? `|| ',"etag":"\\"' || t.seq || '\\""'` : ''}
        || t.document_tail`);

const [briefJson, fullJson] = [json(false), json(true)];
/** With the version, for the console. */
const [briefVersioned, fullVersioned] = [json(false, true), json(true, true)];

/** Filters of a list, each supported by an index that begins with these columns. */
export const filters = (given: {
  statusId: string | undefined;
  paymentStatusId: string | undefined;
  /** Never `api`: the partial index excludes it. */
  source?: string | undefined;
  externalId?: string | undefined;
}): Sql[] =>
  [
    given.statusId !== undefined && sql`t.status_id = ${given.statusId}`,
    given.paymentStatusId !== undefined && sql`t.payment_status_id = ${given.paymentStatusId}`,
    given.source !== undefined && sql`t.source = ${given.source} and t.source <> 'api'`,
    given.externalId !== undefined && sql`t.external_id = ${given.externalId}`,
  ].filter((condition) => condition !== false);

/** A page of orders with or without their items, and for the console with their versions. */
export function page(dialect: Dialect, storeId: string, window: Window, withItems: boolean, withEtag = false): Sql {
  const json = withEtag ? (withItems ? fullVersioned : briefVersioned) : withItems ? fullJson : briefJson;
  return jsonPage(dialect, window, { json, shared: statusMembers(dialect, storeId) });
}

/** The records of a page as rows, with their items. */
export const pageRows = (db: Queryable, storeId: string, window: Window) =>
  readPage<Key & ExportedOrder & { seq: number }>(db, window, {
    columns: sql`t.seq, ${db.dialect.bytes(fullJson)} as body`,
    shared: statusMembers(db.dialect, storeId),
  });

export interface OrderResponse {
  /** The whole response: `{"data": …}`. */
  body: Buffer;
  seq: number;
}

/** One order; its two statuses are looked up directly. */
export const showStatement = preparedTemplate((dialect, storeId: string, id: string) => {
  const one = (table: string, column: string, json: Sql) =>
    sql`(select ${json} from ${raw(table)} where store_id = ${storeId} and id = t.${raw(column)})`;
  const isPaid = sql`|| ',"isPaid":' || ${dialect.boolean(raw('is_paid'))}`;
  return sql`select ${dialect.bytes(
    sql`'{"data":' || t.document_head || ',"status":' || ${one('order_statuses', 'status_id', statusJson(dialect))}
        || ',"paymentStatus":' || ${one('payment_statuses', 'payment_status_id', statusJson(dialect, isPaid))}
        || t.document || ',"items":' || t.items || t.document_tail || '}'`,
  )} as body, t.seq from orders t where t.store_id = ${storeId} and t.id = ${id}`;
});

export const show = (db: Queryable, storeId: string, id: string) =>
  db.one<OrderResponse>(showStatement(db.dialect, storeId, id));

export interface ExportedOrder {
  /** The order with its items, as in the API. */
  body: Buffer;
}

/** The next orders after a number, oldest first: numbers increase with creation time. */
export const ordersAfter = (db: Queryable, storeId: string, number: number, limit: number) =>
  db.all<ExportedOrder & { number: number }>(
    sql`with ${statusMembers(db.dialect, storeId)}
        select t.number, ${db.dialect.bytes(fullJson)} as body
        from orders t where t.store_id = ${storeId} and t.number > ${number} order by t.number limit ${limit}`,
  );

export const findByExternalId = (db: Queryable, storeId: string, externalId: string) =>
  db.one<{ id: string }>(sql`select id from orders where store_id = ${storeId} and external_id = ${externalId}`);

export interface LockedOrder extends DocumentParts {
  id: string;
  external_id: string | null;
  seq: number;
  status_id: string;
  payment_status_id: string;
  customer_id: string | null;
}

/** Reads an order for a change and locks it until the transaction ends. */
export const lockOrder = (tx: Transaction, storeId: string, id: string) =>
  tx.one<LockedOrder>(
    sql`select id, external_id, seq, status_id, payment_status_id, customer_id, document_head, document, document_tail
        from orders where store_id = ${storeId} and id = ${id} ${tx.dialect.forNoKeyUpdate}`,
  );

export const statusesOf = (db: Queryable, storeId: string, id: string) =>
  db.one<Pick<LockedOrder, 'status_id' | 'payment_status_id'>>(
    sql`select status_id, payment_status_id from orders where store_id = ${storeId} and id = ${id}`,
  );

export const documentOf = (db: Queryable, storeId: string, id: string) =>
  db.one<DocumentParts>(
    sql`select document_head, document, document_tail from orders where store_id = ${storeId} and id = ${id}`,
  );

/** The lines of an order as they are stored. */
export async function itemsOf(db: Queryable, storeId: string, id: string): Promise<OrderItem[]> {
  const found = await db.one<{ items: string }>(
    sql`select items from orders where store_id = ${storeId} and id = ${id}`,
  );
  return JSON.parse(found?.items ?? '[]');
}

export interface NewAmounts {
  total_amount: number;
  items: string;
}

/** `amounts` are left out if the change does not affect them: most changes are of a status. */
export const updateOrder = (
  tx: Transaction,
  storeId: string,
  order: LockedOrder,
  at: number,
  amounts: NewAmounts | undefined,
) =>
  tx.send(
    sql`update orders set status_id = ${order.status_id}, payment_status_id = ${order.payment_status_id},
          customer_id = ${order.customer_id}, document_head = ${order.document_head}, document = ${order.document},
          document_tail = ${order.document_tail}, updated_at = ${at}, seq = ${order.seq}
          ${amounts ? sql`, total_amount = ${amounts.total_amount}, items = ${amounts.items}` : empty}
        where store_id = ${storeId} and id = ${order.id}`,
  );

export interface SoldProduct {
  id: string;
  external_id: string | null;
  sku: string | null;
  name: string;
  price: number;
  is_active: boolean;
}

/** The products an order refers to, by any of their keys, in one statement. */
export function findProducts(
  db: Queryable,
  storeId: string,
  given: { ids: readonly string[]; skus: readonly string[]; externalIds: readonly string[] },
) {
  const among = (column: string, values: readonly string[]) =>
    values.length
      ? [
          sql`${raw(column)} in (${join(
            values.map((value) => sql`${value}`),
            ', ',
          )})`,
        ]
      : [];
  const named = [...among('id', given.ids), ...among('sku', given.skus), ...among('external_id', given.externalIds)];
  return db.all<SoldProduct>(
    join(
      named.map(
        (name) =>
          sql`select id, external_id, sku, name, price, is_active from products where store_id = ${storeId} and ${name}`,
      ),
      ' union ',
    ),
  );
}

export interface ChosenType {
  id: string;
  code: string;
  name: string;
}

const chosen = (db: Queryable, kind: 'delivery' | 'payment', storeId: string, id: string) =>
  db.one<ChosenType>(
    sql`select t.id, t.code, t.name from ${raw(`store_${kind}_types`)} e
        join stores s on s.id = e.store_id
        join ${raw(`${kind}_types`)} t on t.owner_id = s.owner_id and t.id = e.${raw(`${kind}_type_id`)}
        where e.store_id = ${storeId} and t.id = ${id} and e.is_active`,
  );

export const findDeliveryType = (db: Queryable, storeId: string, id: string) => chosen(db, 'delivery', storeId, id);
export const findPaymentType = (db: Queryable, storeId: string, id: string) => chosen(db, 'payment', storeId, id);

export interface StatusRow {
  id: string;
  code: string | null;
  name: string;
  is_active: boolean;
}

export type StatusKind = 'status' | 'paymentStatus';

const statusTable = { status: raw('order_statuses'), paymentStatus: raw('payment_statuses') };

export const listStatuses = (db: Queryable, kind: StatusKind, storeId: string) =>
  db.all<StatusRow>(
    sql`select id, code, name, is_active from ${statusTable[kind]} where store_id = ${storeId} order by sort_order, id`,
  );

const idOfCode = preparedTemplate(
  (_, storeId: string, code: string) =>
    sql`select id from order_statuses where store_id = ${storeId} and code = ${code}`,
);
const idOfPaymentCode = preparedTemplate(
  (_, storeId: string, code: string) =>
    sql`select id from payment_statuses where store_id = ${storeId} and code = ${code}`,
);

export const statusOfCode = (db: Queryable, kind: StatusKind, storeId: string, code: string) =>
  db.one<{ id: string }>((kind === 'status' ? idOfCode : idOfPaymentCode)(db.dialect, storeId, code));

export type StatusKey = { id: string } | { code: string };

const status = (kind: StatusKind, storeId: string, by: StatusKey) =>
  sql`select id, code, name, is_active from ${statusTable[kind]}
      where store_id = ${storeId} and ${'id' in by ? sql`id = ${by.id}` : sql`code = ${by.code}`}`;

export const findStatus = (db: Queryable, kind: StatusKind, storeId: string, by: StatusKey) =>
  db.one<StatusRow>(status(kind, storeId, by));

/** Locks a status that an order is about to get: it cannot be disabled before the transaction ends. */
export const lockStatus = (tx: Transaction, kind: StatusKind, storeId: string, by: StatusKey) =>
  tx.one<StatusRow>(sql`${status(kind, storeId, by)} ${tx.dialect.forShare}`);

/** The number of the newest order. */
export const lastNumber = async (db: Queryable, storeId: string) =>
  (await db.one<{ last_number: number }>(sql`select last_number from store_clocks where store_id = ${storeId}`))
    ?.last_number ?? 0;
