import { expect, test } from 'vitest';
import { addCategory, addProduct } from '../../test/catalog.ts';
import { startReceiver } from '../../test/receiver.ts';
import { startService } from '../../test/service.ts';
import { webhooksOf } from '../../test/webhooks.ts';
import type { Sql } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { uuid } from '../db/uuid.ts';
import { addPicture } from '../files/pictures.ts';
import { check, rules } from './check.ts';
import { references } from './references.ts';

const service = await startService({
  env: { WEBHOOK_ALLOW_INTERNAL: 'true' },
  damages: 'everything, to see that it is found',
});
const { db, clock } = service;
const hooks = webhooksOf(service);
const since = { eventsSince: 0, deliveriesSince: 0 };
const problemsOf = async (storeId: string) => (await check(db, { ...since, storeId })).problems;

/** A store with one of everything: two orders, a customer, a category, an endpoint with a delivered event. */
async function store() {
  const { storeId, key } = await service.shop();
  const productId = await addProduct(service, storeId, { sku: 'TEA' });
  const categoryId = await addCategory(service, storeId, 'Teas');
  const receiver = await startReceiver();
  const { id: endpointId } = await hooks.endpoint(receiver.url, { storeId });
  const create = async (phone: string) =>
    (
      await service.post(
        '/api/v1/orders',
        { items: [{ sku: 'TEA', quantity: 2 }], customer: { name: 'Anna', phone } },
        key,
        { 'Idempotency-Key': phone.replaceAll(' ', '') },
      )
    ).body.data.id as string;
  await service.post('/api/v1/references/warehouses', { name: 'Main' }, key);
  await service.post('/api/v1/stock', { lines: [{ sku: 'TEA', quantity: 10 }] }, key);
  await db.transaction(async (tx) => {
    const file = { width: 9, height: 9, bytes: Buffer.from('a picture') };
    const { files } = await addPicture(tx, storeId, { place: 'product', productId, position: 0 }, [file], {
      at: clock.now,
      maxMiB: 1,
    });
    await tx.run(
      sql`update products set picture_url = ${files[0]?.url} where store_id = ${storeId} and id = ${productId}`,
    );
  });
  const orderId = await create('+7 900 000 00 01');
  await create('+7 900 000 00 02');
  await service.patch(`/api/v1/orders/${orderId}`, { status: 'packing', paymentStatus: 'paid' }, key);
  const dispatcher = hooks.dispatcher();
  await dispatcher.idle();
  await dispatcher.close();
  return { storeId, productId, categoryId, endpointId, orderId };
}
type Store = Awaited<ReturnType<typeof store>>;

const isOrder = ({ storeId, orderId }: Store) => sql`store_id = ${storeId} and id = ${orderId}`;
const anyEvent = ({ storeId, orderId }: Store) =>
  sql`(select id from events where store_id = ${storeId} and order_id = ${orderId} and type = 'order.created')`;
const unknown = () => uuid(clock.now);
const MERGED = [unknown(), unknown()];

/** How a promise is broken: by its kind, and after a colon what is damaged, if there are several ways. */
const damages: Record<string, (store: Store) => Sql> = {
  clock_missing: ({ storeId }) => sql`delete from store_clocks where store_id = ${storeId}`,
  number_above_clock: ({ storeId }) => sql`update store_clocks set seq = 1 where store_id = ${storeId}`,
  'number_above_clock: product': ({ storeId }) => sql`update products set seq = 999 where store_id = ${storeId}`,
  'number_above_clock: time': ({ storeId }) =>
    sql`update customers set updated_at = updated_at + 1 where store_id = ${storeId} and seq = (select max(seq) from customers)`,
  'number_above_clock: event': (of) =>
    sql`update events set seq = 999 where store_id = ${of.storeId} and id = ${anyEvent(of)}`,
  'number_above_clock: order': ({ storeId }) =>
    sql`update store_clocks set last_number = 1 where store_id = ${storeId}`,
  'number_above_clock: endpoint': ({ storeId }) =>
    sql`update webhook_endpoints set subscribed_seq = 999 where store_id = ${storeId}`,
  'number_repeated: event': ({ storeId, orderId }) =>
    sql`update events set seq = 1 where store_id = ${storeId} and order_id = ${orderId}`,
  number_repeated: (of) =>
    sql`update orders set seq = (select p.seq from products p where p.store_id = orders.store_id limit 1) where ${isOrder(of)}`,
  time_went_back: (of) => sql`update orders set updated_at = updated_at - 1000 where ${isOrder(of)}`,
  'time_went_back: event': ({ storeId, orderId }) =>
    sql`update events set created_at = created_at - 1000 where store_id = ${storeId} and order_id = ${orderId}
          and type = 'order.payment_status_changed'`,
  search_without_order: ({ storeId }) =>
    db.dialect.engine === 'sqlite'
      ? sql`insert into order_search (rowid, terms) values (
              (select number from order_search_stores where store_id = ${storeId}) * 4294967296 + 77, 'x')`
      : sql`insert into order_search (store_id, number, terms) values (${storeId}, 77, array_to_tsvector(array['x']))`,
  search_without_record: ({ storeId }) =>
    sql`insert into product_terms (store_id, record_id, term) values (${storeId}, ${unknown()}, 'wx')`,
  'search_without_record: customer': ({ storeId }) =>
    sql`insert into customer_terms (store_id, record_id, term) values (${storeId}, ${unknown()}, 'wx')`,
  event_of_another_order: ({ storeId, orderId }) =>
    sql`update events set external_id = 'A-1' where store_id = ${storeId} and order_id = ${orderId}`,
  event_without_order: ({ storeId, orderId }) =>
    sql`update events set order_id = ${unknown()} where store_id = ${storeId} and order_id = ${orderId}
          and type = 'order.status_changed'`,
  event_without_number: ({ storeId, orderId }) =>
    sql`update events set seq = null where store_id = ${storeId} and order_id = ${orderId} and type = 'order.status_changed'`,
  order_without_event: (of) =>
    sql`update events set type = 'order.edited' where store_id = ${of.storeId} and id = ${anyEvent(of)}`,
  delivery_missing: (of) =>
    sql`update webhook_endpoints set subscribed_seq = 0, id = ${unknown()} where store_id = ${of.storeId}`,
  delivery_repeated: (of) =>
    sql`insert into deliveries (store_id, id, endpoint_id, event_id, status, next_attempt_at, created_at)
        select store_id, ${unknown()}, endpoint_id, event_id, 'pending', 1, created_at from deliveries
        where store_id = ${of.storeId} and event_id = ${anyEvent(of)}`,
  delivery_state: ({ storeId }) => sql`update deliveries set next_attempt_at = 1 where store_id = ${storeId}`,
  'delivery_state: settled': ({ storeId }) => sql`update deliveries set settled_at = null where store_id = ${storeId}`,
  'delivery_state: scheduled': ({ storeId }) =>
    sql`update deliveries set is_scheduled = ${true} where store_id = ${storeId}`,
  'delivery_attempts: count': ({ storeId }) => sql`update deliveries set attempt_count = 2 where store_id = ${storeId}`,
  delivery_attempts: ({ storeId }) => sql`update attempts set response_status = 500 where store_id = ${storeId}`,
  delivery_at_disabled_endpoint: (of) =>
    sql`update deliveries set status = 'pending', next_attempt_at = 1, settled_at = null where store_id = ${of.storeId}`,
  endpoint_failures: ({ storeId }) =>
    sql`update webhook_endpoints set consecutive_failures = 3 where store_id = ${storeId}`,
  customer_repeated: ({ storeId }) =>
    sql`update customers set phone = '1', phone_key = '1' where store_id = ${storeId}`,
  customer_erased: ({ storeId }) => sql`update customers set erased_at = 1 where store_id = ${storeId}`,
  order_of_erased: ({ storeId }) => sql`update customers set erased_at = 1 where store_id = ${storeId}`,
  merged_into_erased: ({ storeId }) =>
    sql`insert into customers (store_id, id, erased_at, merged_into_id, created_at, updated_at, seq)
        select store_id, v.id, v.erased_at, v.merged_into_id, 1, 1, v.seq
        from store_clocks cross join ${db.dialect.records(
          'v',
          { id: 'uuid', erased_at: 'instant', merged_into_id: 'uuid', seq: 'integer' },
          [
            { id: MERGED[0], erased_at: 1, merged_into_id: null, seq: 0 },
            { id: MERGED[1], erased_at: null, merged_into_id: MERGED[0], seq: -1 },
          ],
        )} where store_id = ${storeId}`,
  customer_in_circle: ({ storeId }) => sql`update customers set merged_into_id = id where store_id = ${storeId}`,
  customer_merged: ({ storeId }) => sql`update customers set merged_into_id = id where store_id = ${storeId}`,
  order_of_merged: ({ storeId }) => sql`update customers set merged_into_id = id where store_id = ${storeId}`,
  category_in_circle: ({ storeId, categoryId }) =>
    sql`update categories set parent_id = ${categoryId} where store_id = ${storeId}`,
  system_status_missing: ({ storeId }) =>
    sql`update order_statuses set code = null where store_id = ${storeId} and code = 'returned'`,
  'system_status_missing: payment': ({ storeId }) =>
    sql`update payment_statuses set code = null where store_id = ${storeId} and code = 'refunded'`,
  'order_in_disabled_status: payment': ({ storeId }) =>
    sql`update payment_statuses set is_active = ${false} where store_id = ${storeId} and code = 'paid'`,
  order_in_disabled_status: ({ storeId }) =>
    sql`update order_statuses set is_active = ${false} where store_id = ${storeId} and code = 'packing'`,
  refers_to_nothing: ({ storeId }) => sql`update order_lines set product_id = ${unknown()} where store_id = ${storeId}`,
  type_of_another_owner: ({ storeId }) =>
    sql`insert into store_payment_types (store_id, payment_type_id, is_active) values (${storeId}, ${unknown()}, ${true})`,
  'type_of_another_owner: delivery': ({ storeId }) =>
    sql`insert into store_delivery_types (store_id, delivery_type_id, is_active) values (${storeId}, ${unknown()}, ${true})`,
  stock_quantity: ({ storeId }) => sql`update stock set quantity = 99 where store_id = ${storeId}`,
  stock_movement: ({ storeId }) =>
    sql`update stock_movements set quantity_before = 3, quantity_after = quantity_after + 3 where store_id = ${storeId} and order_id is null`,
  product_stock: ({ storeId }) => sql`update products set stock = null where store_id = ${storeId}`,
  stock_of_order: (of) =>
    sql`update order_lines set warehouse_id = null where store_id = ${of.storeId} and order_id = ${of.orderId}`,
  'stock_of_order: closed': (of) =>
    sql`update orders set status_id = (select s.id from order_statuses s where s.store_id = orders.store_id and s.code = 'cancelled')
        where ${isOrder(of)}`,
  file_size: ({ storeId }) => sql`update files set bytes = ${Buffer.from('x')} where store_id = ${storeId}`,
  file_sizes: ({ storeId }) => sql`update file_sizes set bytes = bytes + 1 where store_id = ${storeId}`,
  'file_sizes: missing': ({ storeId }) => sql`delete from file_sizes where store_id = ${storeId}`,
  file_without_picture: ({ storeId }) => sql`delete from picture_files where store_id = ${storeId}`,
  picture_without_file: ({ storeId }) => sql`delete from picture_files where store_id = ${storeId}`,
  picture_place: ({ storeId }) => sql`update pictures set place = 'cover' where store_id = ${storeId}`,
  product_picture: ({ storeId }) => sql`update products set picture_url = null where store_id = ${storeId}`,
  'product_picture: deleted': ({ storeId }) =>
    sql`update pictures set product_id = null, place = 'logo' where store_id = ${storeId}`,
  promo_code_uses: ({ storeId }) =>
    sql`insert into promo_codes (store_id, id, code, code_key, percent, min_total, uses, created_at)
        values (${storeId}, ${unknown()}, 'TEN', 'ten', 10, 0, 1, 1)`,
  store_without_owner: ({ storeId }) => sql`update store_members set role = 'manager' where store_id = ${storeId}`,
  mail_state: ({ storeId }) =>
    sql`insert into mails (store_id, id, kind, recipient, limit_key, language, params, state, created_at)
        values (${storeId}, ${unknown()}, 'order', 'a@b.example', 'a@b.example', 'en', '{}', 'sent', 1)`,
  'mail_state: waiting': ({ storeId }) =>
    sql`insert into mails (store_id, id, kind, recipient, limit_key, language, params, state, created_at)
        values (${storeId}, ${unknown()}, 'order', 'a@b.example', 'a@b.example', 'en', '{}', 'waiting', 1)`,
  response_incomplete: ({ storeId }) => sql`update idempotency_keys set body = null where store_id = ${storeId}`,
  request_log_size: ({ storeId }) =>
    sql`insert into request_log_sizes (store_id, lines) values (${storeId}, 7)
        on conflict (store_id) do update set lines = 7000`,
  order_document: (of) => sql`update orders set number = 1000000 + number where ${isOrder(of)}`,
  'order_document: total': (of) => sql`update orders set total_amount = total_amount + 1 where ${isOrder(of)}`,
  'order_document: customer': (of) => sql`update orders set customer_id = null where ${isOrder(of)}`,
  'order_document: delivery': (of) => sql`update orders set tracking_code = 'T1' where ${isOrder(of)}`,
  order_lines: (of) =>
    sql`update order_lines set quantity = 3 where store_id = ${of.storeId} and order_id = ${of.orderId}`,
  order_totals: (of) =>
    sql`update orders set document = replace(document, '"discountTotal":0', '"discountTotal":1') where ${isOrder(of)}`,
  order_promo_code: (of) => sql`update orders set promo_discount = 1 where ${isOrder(of)}`,
  order_search: (of) =>
    sql`update orders set document = replace(document, '"name":"Anna"', '"name":"Eva"') where ${isOrder(of)}`,
  order_keys: ({ storeId }) => sql`delete from order_keys where store_id = ${storeId} and key like 'p%'`,
  key_without_order: ({ storeId }) => sql`insert into order_keys (store_id, key, number) values (${storeId}, 'e@', 1)`,
  order_events: (of) =>
    sql`update orders set status_id = (select s.id from order_statuses s where s.store_id = orders.store_id and s.code = 'completed')
        where ${isOrder(of)}`,
  unreadable: (of) => sql`update orders set document = ',"notes":"' where ${isOrder(of)}`,
  customer_keys: ({ storeId }) => sql`update customers set phone_key = 'x' || phone_key where store_id = ${storeId}`,
  customer_search: ({ storeId }) => sql`delete from customer_terms where store_id = ${storeId} and term = 'wanna'`,
  product_search: ({ storeId }) => sql`update products set name = 'Eva', name_key = 'eva' where store_id = ${storeId}`,
  product_keys: ({ storeId }) => sql`update products set name_key = 'x' where store_id = ${storeId}`,
};

/** Damages that are only seen together with another one, or that need a constraint out of the way. */
const before: Record<string, Sql[]> = {
  delivery_missing: [sql`delete from attempts`, sql`delete from deliveries`, sql`delete from endpoint_hours`],
};
const disabled = (storeId: string) =>
  sql`update webhook_endpoints set is_active = ${false} where store_id = ${storeId}`;

test('a sound store has no problems, and everything in it is counted', async () => {
  const { storeId } = await store();
  const { checked, problems } = await check(db, { ...since, storeId });
  expect(problems).toEqual([]);
  expect(checked).toEqual({
    orders: 2,
    events: 4,
    deliveries: 4,
    order_keys: 2,
    customers: 2,
    products: 1,
  });
});

const kindOf = (damage: string) => damage.replace(/:.*/, '');

test.each(Object.keys(damages))('%s is reported, with the store and the record', async (damage) => {
  const of = await store();
  const { storeId } = of;
  const kind = kindOf(damage);
  for (const statement of before[kind] ?? []) await db.run(sql`${statement} where store_id = ${storeId}`);
  if (kind === 'delivery_at_disabled_endpoint') await db.run(disabled(storeId));
  expect(await problemsOf(storeId)).toEqual(kind in before ? expect.anything() : []);
  await db.run((damages[damage] as (store: Store) => Sql)(of));
  const found = (await problemsOf(storeId)).filter((problem) => problem.kind === kind);
  expect(found).not.toEqual([]);
  for (const { store: at, id, message } of found) {
    expect(at).toBe(storeId);
    expect(id).toMatch(/^([0-9a-f-]{36}|[0-9a-f]{64})$/);
    expect(message).not.toBe('');
  }
});

test('every promise has a damage', () => {
  const rowKinds = [
    'order_of_erased',
    ...[
      'order_document',
      'order_lines',
      'order_totals',
      'order_promo_code',
      'order_search',
      'order_events',
      'order_keys',
    ],
    'key_without_order',
    ...[
      'customer_keys',
      'customer_merged',
      'customer_erased',
      'customer_search',
      'product_keys',
      'product_search',
      'unreadable',
    ],
  ];
  const damaged = new Set(Object.keys(damages).map(kindOf));
  expect([...damaged].sort()).toEqual([...rules.map(({ kind }) => kind), ...rowKinds].sort());
});

/** Columns with ids of records that may be gone, or that foreign keys and other rules check. */
const UNCHECKED_IDS = [
  // Stores and owners have foreign keys, except in tables that are written often.
  /\.(store_id|owner_id)$/,
  // Who did something, and what was done to: it may be gone.
  /\.actor_id$/,
  /^history\./,
  /^request_log\.key_id$/,
  // Checked by rules of their own.
  /_terms\.record_id$/,
  /^store_(delivery|payment)_types\./,
  /^events\.order_id$/,
  // The delivery type that the order was made with: the store may belong to another owner by now.
  /^orders\.delivery_type_id$/,
  // A passkey has its id from the browser.
  /^passkeys\.credential_id$/,
];

test('every id of a record of the store is checked', async () => {
  const columns = await db.all<{ name: string }>(
    db.dialect.engine === 'sqlite'
      ? sql`select m.name || '.' || c.name as name from sqlite_schema m join pragma_table_info(m.name) c where m.type = 'table'`
      : sql`select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  );
  const known = references.map(([table, column]) => `${table}.${column}`);
  // Ids of other systems.
  const ids = columns
    .map(({ name }) => name)
    .filter((name) => /_id$/.test(name) && !/\.(external|request)_id$/.test(name));
  expect(ids.filter((name) => !known.includes(name) && !UNCHECKED_IDS.some((pattern) => pattern.test(name)))).toEqual(
    [],
  );
  expect(known.filter((name) => !ids.includes(name))).toEqual([]);
});

test('no false alarms while others write', async () => {
  const { storeId, key } = await service.shop();
  await addProduct(service, storeId, { sku: 'TEA' });
  await hooks.endpoint((await startReceiver()).url, { storeId });
  const dispatcher = hooks.dispatcher();
  let isDone = false;
  const write = async (index: number) => {
    for (let count = 0; !isDone; count++) {
      const customer = { name: 'Anna', phone: `+7 900 ${index} ${count}` };
      const { body } = await service.post('/api/v1/orders', { items: [{ sku: 'TEA', quantity: 1 }], customer }, key);
      const path = `/api/v1/orders/${body.data.id}`;
      await service.patch(path, { status: 'packing', notes: 'n', customer: { name: 'Eva' } }, key);
      await dispatcher.idle();
    }
  };
  const writing = Promise.all([0, 1, 2, 3].map(write));
  for (let round = 0; round < 20; round++) expect(await problemsOf(storeId)).toEqual([]);
  isDone = true;
  await writing;
  await dispatcher.close();
});
