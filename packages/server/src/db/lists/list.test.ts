import { type SortOrder, sortOrders } from '@store-sales/contract';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { addProduct } from '../../../test/catalog.ts';
import { insertCustomers, insertProducts, type Stamps } from '../../../test/rows.ts';
import { type Reads, startService } from '../../../test/service.ts';
import { signedInOwner } from '../../../test/signed-in-owner.ts';
import { seededRandom } from '../../demo/random.ts';
import { changeOrder } from '../../orders/write/change-order.ts';
import { createOrder } from '../../orders/write/create-order.ts';
import { HOUR, MINUTE } from '../../time/duration.ts';
import { tick } from '../clock/store-clock.ts';
import { writeTerms } from '../search/record-terms.ts';
import { raw, sql } from '../sql.ts';
import { uuid } from '../uuid.ts';

/** So low that every walk needs many bounded searches. */
const SEARCH_LIMIT = 6;
const reads: Reads = {};
const service = await startService({
  damages: 'orders changed without their documents',
  searchLimit: SEARCH_LIMIT,
  reads,
});
const { db, clock } = service;
const random = seededRandom(17);

interface Listed {
  id: string;
  createdAt: string;
  updatedAt: string;
  status?: { code: string };
}
interface Page {
  data: Listed[];
  page: { nextCursor: string | null };
}
type Ask = (query: Record<string, string>) => Promise<Page>;

interface Writer {
  /** Changes one of the changeable records, or adds one. */
  write(): Promise<unknown>;
  /** Restores `updatedAt` of the changed records, which have moved to the end. */
  reset(): Promise<unknown>;
}

/** Writes during one walk; without a limit, `updatedAt:asc` would follow the changes forever. */
const WRITES = 25;

/** Walks a list while writers commit between any two statements of its requests. */
async function walkUnderWriters(ask: Ask, query: Record<string, string>, { write, reset }: Writer) {
  await reset();
  let left = WRITES;
  let isWriting = false;
  reads.after = async () => {
    if (isWriting || left-- <= 0) return;
    isWriting = true;
    clock.now++;
    await write();
    isWriting = false;
  };
  const found: Listed[] = [];
  try {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await ask({ ...query, ...(cursor && { cursor }) });
      found.push(...page.data);
      cursor = page.page.nextCursor;
    }
  } finally {
    reads.after = undefined;
  }
  return found;
}

function matches(record: Listed, query: Record<string, string>) {
  const within = (field: 'createdAt' | 'updatedAt') =>
    (query[`filter[${field}][from]`] ?? '') <= record[field] && record[field] <= (query[`filter[${field}][to]`] ?? '~');
  const status = query['filter[status]'];
  return within('createdAt') && within('updatedAt') && (status === undefined || status === record.status?.code);
}

const ids = (records: Listed[]) => records.map(({ id }) => id);

/** With any query, a walk returns each unchanged record once, in order. */
async function holdsUnderWriters(ask: Ask, stillIds: ReadonlySet<string>, writer: Writer, statuses: string[] = []) {
  const whole = async (order: SortOrder) => {
    const found: Listed[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Page = await ask({ order, limit: '100', ...(cursor && { cursor }) });
      found.push(...page.data);
      cursor = page.page.nextCursor;
    }
    return found.filter(({ id }) => stillIds.has(id));
  };
  const still = new Map<SortOrder, Listed[]>();
  for (const order of sortOrders) still.set(order, await whole(order));
  const instants = [
    ...new Set((still.get('createdAt:asc') as Listed[]).flatMap(({ createdAt, updatedAt }) => [createdAt, updatedAt])),
  ].sort();
  const bound = fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...instants) },
  );
  const asked = fc.record({
    ...(statuses.length && { 'filter[status]': fc.option(fc.constantFrom(...statuses), { nil: undefined }) }),
    'filter[createdAt][from]': bound,
    'filter[createdAt][to]': bound,
    'filter[updatedAt][from]': bound,
    'filter[updatedAt][to]': bound,
    order: fc.constantFrom(...sortOrders),
    limit: fc.constantFrom('2', '5', '100'),
  });
  // Filters by one time and sorts by the other.
  const usual = (order: SortOrder) => ({
    'filter[createdAt][from]': order.startsWith('updated') ? instants[3] : undefined,
    'filter[createdAt][to]': undefined,
    'filter[updatedAt][from]': undefined,
    'filter[updatedAt][to]': order.startsWith('created') ? instants.at(-3) : undefined,
    order,
    limit: '5' as const,
  });
  await fc.assert(
    fc.asyncProperty(asked, async (query) => {
      const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >;
      const found = (await walkUnderWriters(ask, given, writer)).filter(({ id }) => stillIds.has(id));
      expect(ids(found)).toEqual(ids((still.get(query.order) as Listed[]).filter((record) => matches(record, given))));
    }),
    // No shrinking: every walk changes the data of the next one.
    {
      numRuns: 30,
      endOnFailure: true,
      examples: sortOrders.map((order): [ReturnType<typeof usual>] => [usual(order)]),
    },
  );
}

type Row = Stamps & { id: string };
const restore = (table: string, storeId: string, rows: readonly Row[]) =>
  db.transaction(async (tx) => {
    for (const { id, updated_at, seq } of rows)
      await tx.run(
        sql`update ${raw(table)} set updated_at = ${updated_at}, seq = ${seq} where store_id = ${storeId} and id = ${id}`,
      );
  });

const START = clock.now - HOUR;
const stamps = Array.from(
  { length: 60 },
  (_, index): Stamps => ({
    created_at: START + ((index * 37) % 10) * 1000,
    updated_at: START + MINUTE + Math.floor(index / 4),
    seq: index + 1,
  }),
);
const api =
  (path: string, key: string): Ask =>
  async (query) => {
    const { status, body } = await service.get(`${path}?${new URLSearchParams(query)}`, key);
    expect(status).toBe(200);
    return body;
  };

describe('a walk during writes neither skips nor repeats an unchanged record', () => {
  test.each([
    ['products', insertProducts],
    ['customers', insertCustomers],
  ] as const)(
    '%s',
    async (table, insert) => {
      const { storeId, key } = await service.shop();
      const rows = await insert(db, storeId, stamps);
      await db.run(sql`update store_clocks set seq = 1000, ts = ${START + 120_000} where store_id = ${storeId}`);
      const moving = rows.filter((_, index) => index % 3 === 0);
      const still = new Set(rows.filter((row) => !moving.includes(row)).map(({ id }) => id));
      let turn = 0;
      const write = () =>
        db.transaction(async (tx) => {
          const { at, seq } = await tick(tx, storeId, clock.now);
          const row = moving[turn++ % moving.length] as { id: string };
          if (turn % 20)
            await tx.run(
              sql`update ${raw(table)} set updated_at = ${at}, seq = ${seq} where store_id = ${storeId} and id = ${row.id}`,
            );
          else {
            const id = uuid(at);
            await tx.run(
              table === 'products'
                ? sql`insert into products (store_id, id, name, name_key, price, is_active, created_at, updated_at, seq)
                    values (${storeId}, ${id}, 'New', 'new', 1, ${true}, ${at}, ${at}, ${seq})`
                : sql`insert into customers (store_id, id, name, phone, email, created_at, updated_at, seq)
                    values (${storeId}, ${id}, 'New', '', '', ${at}, ${at}, ${seq})`,
            );
            await writeTerms(tx, table, storeId, [{ id, before: [], after: ['wnew'] }]);
          }
        });
      await holdsUnderWriters(api(`/api/v1/${table}`, key), still, {
        write,
        reset: () => restore(table, storeId, moving),
      });
    },
    120_000,
  );

  describe('orders', () => {
    let shop: Awaited<ReturnType<typeof signedInOwner>>;
    let key: string;
    let still: Set<string>;
    let writer: Writer;
    const codes = ['new', 'packing', 'completed'];
    const actor = { kind: 'system', id: null } as const;

    beforeAll(async () => {
      shop = await signedInOwner(service);
      const { storeId } = shop;
      key = await service.key(storeId);
      await addProduct(service, storeId, { sku: 'P' });
      // Not over HTTP: a nested request would wait for the key lookup of the outer one.
      const make = () => {
        const order = { items: [{ sku: 'P', quantity: 1 }] };
        return db.write(createOrder({ storeId, currency: 'RUB', source: 'api', actor, order, now: clock.now }));
      };
      const change = (id: string, status: string | undefined) =>
        db.write(
          changeOrder({
            storeId,
            id,
            change: { status: status as string, notes: `at ${clock.now}` },
            appliesPromo: false,
            actor,
            now: clock.now,
          }),
        );
      const created: string[] = [];
      for (let index = 0; index < 60; index++) {
        if (index % 4 === 0) clock.now++;
        created.push((await make()).id);
      }
      for (let index = 0; index < 60; index++) {
        if (index % 3 === 0) clock.now++;
        await change(created[(index * 37) % 60] as string, codes[Math.floor(index / 3) % 3]);
      }
      const rows = await db.all<Row>(
        sql`select id, created_at, updated_at, seq from orders where store_id = ${storeId} order by number`,
      );
      const moving = rows.filter((_, index) => index % 3 === 0);
      still = new Set(rows.filter((row) => !moving.includes(row)).map(({ id }) => id));
      let turn = 0;
      writer = {
        write() {
          const { id } = random.pick(moving);
          return turn++ % 20 ? change(id, codes[Math.floor(turn / moving.length) % 3]) : make();
        },
        reset: () => restore('orders', storeId, moving),
      };
    }, 60_000);

    test('of the API', async () => {
      await holdsUnderWriters(api('/api/v1/orders', key), still, writer, codes);
    }, 120_000);

    test('of the console, page by page and as a file', async () => {
      const path = `${shop.path}/orders`;
      const noWriter = { write: async () => {}, reset: async () => {} };
      const ask: Ask = async (query) => (await shop.visitor.get(`${path}?${new URLSearchParams(query)}`)).body;
      for (let round = 0; round < 4; round++)
        for (const status of codes) {
          const view = { status, source: 'api' };
          const expected = ids((await walkUnderWriters(ask, view, noWriter)).filter(({ id }) => still.has(id)));
          expect(expected.length).toBeGreaterThan(3);
          const pages = await walkUnderWriters(ask, view, writer);
          expect(ids(pages).filter((id) => still.has(id))).toEqual(expected);
          const file: Ask = async () => {
            const { text } = await shop.visitor.get(`${path}/export?${new URLSearchParams(view)}`);
            const data = text.split('\n').map((line: string) => ({ id: line.split(',')[0] ?? '' }));
            return { data, page: { nextCursor: null } } as Page;
          };
          expect(ids(await walkUnderWriters(file, {}, writer)).filter((id) => still.has(id))).toEqual(expected);
        }
    }, 120_000);
  });
});
