import type { SortOrder, StatusGroup } from '@store-sales/contract';
import type { Queryable } from '../db/database.ts';
import type { Dialect } from '../db/dialect.ts';
import { jsonPage } from '../db/lists/json-page.ts';
import { type Key, type ListSource, readPage, type Window } from '../db/lists/list.ts';
import { preparedTemplate } from '../db/prepared-template.ts';
import { empty, raw, type Sql, sql } from '../db/sql.ts';
import type { PresentJson, StoredOrder } from './document.ts';

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
const statusJson = ({ quoted }: Dialect, table: string, more = empty) =>
  sql`'{"id":"' || ${raw(table)}.id || '","code":' || coalesce(${quoted(raw(`${table}.code`))}, 'null')
      || ',"name":' || ${quoted(raw(`${table}.name`))} ${more} || '}'`;

const paymentStatusJson = (dialect: Dialect, table: string) =>
  statusJson(dialect, table, sql`|| ',"isPaid":' || ${dialect.boolean(raw(`${table}.is_paid`))}`);

/**
 * What orders show as it is at present, each built once instead of once per order (a page of 50 takes a quarter of the
 * time: docs/decisions/order-document.md): the statuses of the store as members of an order's JSON, and the address
 * templates of its delivery types as JSON.
 */
const present = preparedTemplate(
  (dialect, storeId: string) =>
    sql`s as materialized (
        select id, ',"status":' || ${statusJson(dialect, 'order_statuses')} as json from order_statuses
        where store_id = ${storeId}),
      p as materialized (
        select id, ',"paymentStatus":' || ${paymentStatusJson(dialect, 'payment_statuses')} as json from payment_statuses
        where store_id = ${storeId}),
      d as materialized (
        select type.id, ${dialect.quoted(sql`type.tracking_url_template`)} as json
        from stores join delivery_types type on type.owner_id = stores.owner_id and type.tracking_url_template <> ''
        where stores.id = ${storeId})`,
);

/** The tracking address of order `t` as JSON. `template` selects the template of its delivery type as JSON. */
const trackingUrlJson = (template: Sql) =>
  sql`case when t.tracking_code is null then '""'
        else coalesce(replace((${template}), '{number}', t.tracking_code), '""') end`;

/** An order as response JSON, built in SQL: the parts of the stored document, and between them what is joined. */
const json = (withItems: boolean, withEtag = false) =>
  sql`t.document_head || (select json from s where s.id = t.status_id)
        || (select json from p where p.id = t.payment_status_id) || t.document || ',"trackingUrl":'
        || ${trackingUrlJson(sql`select json from d where d.id = t.delivery_type_id`)} || '}' || t.document_rest
        ${withItems ? sql`|| ',"items":' || t.items` : empty}
        ${withEtag ? sql`|| ',"etag":"\\"' || t.seq || '\\""'` : empty}
        || ',"paidAmount":' || t.paid_amount || t.document_tail`;

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
  return jsonPage(dialect, window, { json, shared: present(dialect, storeId) });
}

/** The records of a page as rows, with their items. */
export const pageRows = (db: Queryable, storeId: string, window: Window) =>
  readPage<Key & ExportedOrder & { seq: number }>(db, window, {
    columns: sql`t.seq, ${db.dialect.bytes(fullJson)} as body`,
    shared: present(db.dialect, storeId),
  });

export interface OrderResponse {
  /** The whole response: `{"data": …}`. */
  body: Buffer;
  seq: number;
}

/** The address template of the delivery type of order `t`. */
const trackingTemplate = (storeId: string, as: (template: Sql) => Sql = (template) => template) =>
  sql`select ${as(sql`type.tracking_url_template`)} from stores
      join delivery_types type on type.owner_id = stores.owner_id and type.id = t.delivery_type_id
      where stores.id = ${storeId}`;

/** The order `t` as a response; what it shows as it is at present is looked up directly. */
const responseJson = (dialect: Dialect, storeId: string) => {
  const one = (table: string, column: string, json: Sql) =>
    sql`(select ${json} from ${raw(table)} where store_id = ${storeId} and id = t.${raw(column)})`;
  return dialect.bytes(
    sql`'{"data":' || t.document_head
        || ',"status":' || ${one('order_statuses', 'status_id', statusJson(dialect, 'order_statuses'))}
        || ',"paymentStatus":' || ${one('payment_statuses', 'payment_status_id', paymentStatusJson(dialect, 'payment_statuses'))}
        || t.document || ',"trackingUrl":'
        || ${trackingUrlJson(trackingTemplate(storeId, dialect.quoted))}
        || '}' || t.document_rest || ',"items":' || t.items || ',"paidAmount":' || t.paid_amount || t.document_tail || '}'`,
  );
};

export const showStatement = preparedTemplate(
  (dialect, storeId: string, id: string) =>
    sql`select ${responseJson(dialect, storeId)} as body, t.seq from orders t where t.store_id = ${storeId} and t.id = ${id}`,
);

export const show = (db: Queryable, storeId: string, id: string) =>
  db.one<OrderResponse>(showStatement(db.dialect, storeId, id));

/** With the promo code that it uses, for the console. */
export const showWithPromo = (db: Queryable, storeId: string, id: string) =>
  db.one<OrderResponse & Pick<StoredOrder, 'promo_code_id' | 'promo_discount'>>(
    sql`select ${responseJson(db.dialect, storeId)} as body, t.seq, t.promo_code_id, t.promo_discount from orders t
        where t.store_id = ${storeId} and t.id = ${id}`,
  );

const byExternalId = preparedTemplate(
  (dialect, storeId: string, externalId: string) =>
    sql`select t.id, ${responseJson(dialect, storeId)} as body, t.seq from orders t
        where t.store_id = ${storeId} and t.external_id = ${externalId}`,
);

export const findByExternalId = (db: Queryable, storeId: string, externalId: string) =>
  db.one<OrderResponse & { id: string }>(byExternalId(db.dialect, storeId, externalId));

export interface ExportedOrder {
  /** The order with its items, as in the API. */
  body: Buffer;
}

/** The next orders after a number, oldest first: numbers increase with creation time. */
export const ordersAfter = (db: Queryable, storeId: string, number: number, limit: number) =>
  db.all<ExportedOrder & { number: number }>(
    sql`with ${present(db.dialect, storeId)}
        select t.number, ${db.dialect.bytes(fullJson)} as body
        from orders t where t.store_id = ${storeId} and t.number > ${number} order by t.number limit ${limit}`,
  );

/** The statuses of an order, by id and as JSON. */
export interface OrderStatuses extends Pick<PresentJson, 'status' | 'payment_status'> {
  status_id: string;
  payment_status_id: string;
}

const firstStatusesOf = preparedTemplate(
  (dialect, storeId: string) =>
    sql`select s.id as status_id, ${statusJson(dialect, 's')} as status,
          p.id as payment_status_id, ${paymentStatusJson(dialect, 'p')} as payment_status
        from order_statuses s join payment_statuses p on p.store_id = s.store_id and p.code = 'unpaid'
        where s.store_id = ${storeId} and s.code = 'new'`,
);

/** Those of a new order. */
export async function firstStatuses(db: Queryable, storeId: string): Promise<OrderStatuses> {
  const found = await db.one<OrderStatuses>(firstStatusesOf(db.dialect, storeId));
  if (!found) throw new Error(`store ${storeId} has no system statuses`);
  return found;
}

/** An order as a change finds it. */
export interface CurrentOrder extends OrderStatuses, PresentJson, StoredOrder {
  id: string;
  external_id: string | null;
  seq: number;
  status_group: StatusGroup;
}

const currentOrder = preparedTemplate(
  (dialect, storeId: string, id: string) =>
    sql`select t.id, t.external_id, t.seq, t.status_id, t.payment_status_id, t.document_head, t.document, t.document_rest,
          t.document_tail, t.items, t.paid_amount, t.promo_code_id, t.promo_discount, t.tracking_code,
          coalesce((${trackingTemplate(storeId)}), '') as tracking_template, s.status_group, ${statusJson(dialect, 's')} as status, ${paymentStatusJson(dialect, 'p')} as payment_status
        from orders t
        join order_statuses s on s.store_id = t.store_id and s.id = t.status_id
        join payment_statuses p on p.store_id = t.store_id and p.id = t.payment_status_id
        where t.store_id = ${storeId} and t.id = ${id}`,
);

export const findOrder = (db: Queryable, storeId: string, id: string) =>
  db.one<CurrentOrder>(currentOrder(db.dialect, storeId, id));

export const idsOfNumbers = (db: Queryable, storeId: string, numbers: readonly number[]) =>
  db.all<{ id: string; number: number }>(
    sql`select id, number from orders where store_id = ${storeId} and number in (select wanted from ${db.dialect.records(
      'w',
      { wanted: 'integer' },
      numbers.map((wanted) => ({ wanted })),
    )})`,
  );

/** A line as the stock knows it. */
export interface StockedLine {
  id: string;
  product_id: string;
  quantity: number;
  warehouse_id: string | null;
}

export const linesOf = (db: Queryable, storeId: string, orderId: string) =>
  db.all<StockedLine>(
    sql`select id, product_id, quantity, warehouse_id from order_lines
        where store_id = ${storeId} and order_id = ${orderId} order by position`,
  );

export interface ChosenType {
  id: string;
  code: string;
  name: string;
}

export interface ChosenDeliveryType extends ChosenType {
  tracking_template: string;
}

const chosen = <Type extends ChosenType>(
  db: Queryable,
  kind: 'delivery' | 'payment',
  storeId: string,
  id: string,
  more = empty,
) =>
  db.one<Type>(
    sql`select t.id, t.code, t.name ${more} from ${raw(`store_${kind}_types`)} e
        join stores s on s.id = e.store_id
        join ${raw(`${kind}_types`)} t on t.owner_id = s.owner_id and t.id = e.${raw(`${kind}_type_id`)}
        where e.store_id = ${storeId} and t.id = ${id} and e.is_active`,
  );

export const findDeliveryType = (db: Queryable, storeId: string, id: string) =>
  chosen<ChosenDeliveryType>(db, 'delivery', storeId, id, sql`, t.tracking_url_template as tracking_template`);
export const findPaymentType = (db: Queryable, storeId: string, id: string) =>
  chosen<ChosenType>(db, 'payment', storeId, id);

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

/** A status that an order is to get. */
export interface RequestedStatus extends Pick<StatusRow, 'id' | 'code' | 'is_active'> {
  json: string;
  /** Whether orders with this payment status count as paid; false for a status of the other list. */
  is_paid: boolean;
  /** Of an order status; empty for a status of the other list. */
  status_group: StatusGroup | '';
}

const statusBy = (kind: StatusKind, column: 'id' | 'code') =>
  preparedTemplate((dialect, storeId: string, value: string) => {
    const json = kind === 'status' ? statusJson(dialect, 't') : paymentStatusJson(dialect, 't');
    const own = kind === 'status' ? sql`false as is_paid, t.status_group` : sql`t.is_paid, '' as status_group`;
    return sql`select t.id, t.code, t.is_active, ${json} as json, ${own} from ${statusTable[kind]} t
               where t.store_id = ${storeId} and t.${raw(column)} = ${value}`;
  });
const requested = {
  status: { id: statusBy('status', 'id'), code: statusBy('status', 'code') },
  paymentStatus: { id: statusBy('paymentStatus', 'id'), code: statusBy('paymentStatus', 'code') },
};

export const findStatus = (db: Queryable, kind: StatusKind, storeId: string, by: StatusKey) =>
  db.one<RequestedStatus>(
    'id' in by ? requested[kind].id(db.dialect, storeId, by.id) : requested[kind].code(db.dialect, storeId, by.code),
  );

/** The number of the newest order. */
export const lastNumber = async (db: Queryable, storeId: string) =>
  (await db.one<{ last_number: number }>(sql`select last_number from store_clocks where store_id = ${storeId}`))
    ?.last_number ?? 0;
