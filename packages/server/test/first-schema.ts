import type { Database } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { initial } from '../src/db/migrations/001-initial.ts';
import { raw, sql } from '../src/db/sql.ts';
import { nameKey } from '../src/names.ts';

const OWNER = '01900000-0000-7000-8000-0000000000a1';
export const STORE = '01900000-0000-7000-8000-0000000000a2';
const STATUS = '01900000-0000-7000-8000-0000000000a3';
const PAYMENT_STATUS = '01900000-0000-7000-8000-0000000000a4';
const PRODUCT = '01900000-0000-7000-8000-0000000000a5';
export const FIRST_AT = Date.parse('2026-01-01T00:00:00.000Z');

/** The document of an order in the first schema, without `updatedAt`. */
const members = {
  totalAmount: 500,
  discountTotal: 0,
  promoCode: '',
  currency: 'RUB',
  customer: { id: null, name: 'Anna', phone: '', email: '' },
  delivery: {
    ...{ typeId: null, type: '', cost: 0, discount: 0, address: '', city: '', region: '', street: '', house: '' },
    ...{ flat: '', postalCode: '' },
  },
  paymentType: null,
  source: 'api',
  notes: 'leave at the "door", \'please\'',
};

/** A database with migration 001 only, and orders of one store. */
export async function fillFirstSchema(db: Database, orders: number) {
  const isPostgres = db.dialect.engine === 'postgres';
  await migrate(db, { migrations: [initial] });
  const run = (statement: ReturnType<typeof sql>) => db.run(statement);
  await run(
    sql`insert into owners (id, email, email_key, name, password_hash, created_at)
        values (${OWNER}, 'old@example.test', 'old@example.test', 'Old', '', ${FIRST_AT})`,
  );
  await run(
    sql`insert into stores (id, owner_id, name, currency, timezone, plan, created_at)
        values (${STORE}, ${OWNER}, 'Old', 'RUB', 'Europe/Moscow', 'optimal', ${FIRST_AT})`,
  );
  await run(
    sql`insert into store_clocks (store_id, seq, ts, last_number)
        values (${STORE}, ${orders}, ${FIRST_AT + 2 * orders}, ${orders})`,
  );
  await run(
    sql`insert into order_statuses (store_id, id, code, name, name_key, status_group, sort_order)
        values (${STORE}, ${STATUS}, 'new', 'New', ${nameKey('New')}, 'new', 1)`,
  );
  await run(
    sql`insert into payment_statuses (store_id, id, code, name, name_key, is_paid, color, sort_order)
        values (${STORE}, ${PAYMENT_STATUS}, 'unpaid', 'Unpaid', ${nameKey('Unpaid')}, ${false}, '#000000', 1)`,
  );
  await run(
    sql`insert into products (store_id, id, name, price, created_at, updated_at, seq)
        values (${STORE}, ${PRODUCT}, 'Tea', 500, ${FIRST_AT}, ${FIRST_AT}, 0)`,
  );
  const id = isPostgres
    ? "('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid"
    : "printf('01900000-0000-7000-8000-%012x', n)";
  const series = isPostgres
    ? `generate_series(1, ${orders}) as s(n)`
    : `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${orders}) select n from s)`;
  const rest = JSON.stringify(members).slice(1, -1);
  const item = { id: PRODUCT, productId: PRODUCT, externalProductId: '', name: 'Tea', sku: '' };
  const items = JSON.stringify([{ ...item, quantity: 1, unitPrice: 500, discount: 0, lineTotal: 500 }]);
  const createdAt = db.dialect.iso(raw(`(${FIRST_AT} + n)`));
  await db.script(async (_, tx) => {
    await tx.run(
      sql`insert into orders (store_id, id, number, external_id, created_at, updated_at, seq, status_id,
            payment_status_id, customer_id, source, total_amount, document, items)
          select ${STORE}, ${raw(id)}, n, null, ${raw(String(FIRST_AT))} + n, ${raw(String(FIRST_AT))} + 2 * n, n,
            ${STATUS}, ${PAYMENT_STATUS}, null, 'api', 500,
            '"id":"' || ${raw(id)} || '","number":' || n || ',"externalId":"","createdAt":"' || ${createdAt} || '",' || ${rest},
            ${items}
          from ${raw(series)}`,
    );
  });
}
