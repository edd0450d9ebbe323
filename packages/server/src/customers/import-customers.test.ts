import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { startService } from '../../test/service.ts';
import { table } from '../../test/tables.ts';
import { sql } from '../db/sql.ts';
import { customerTable, importCustomers } from './import-customers.ts';

const service = await startService();
const { db, clock } = service;
const now = () => clock.now;

const load = (storeId: string, ...lines: string[]) =>
  importCustomers(db, storeId, table(customerTable, ...lines), { now });
const preview = (storeId: string, ...lines: string[]) =>
  importCustomers(db, storeId, table(customerTable, ...lines), { now, dryRun: true });
const counts = (created: number, updated: number, unchanged: number) => ({
  created,
  updated,
  unchanged,
  rejected: [],
  rejectedCount: 0,
});
const stored = (storeId: string) =>
  db.all<any>(
    sql`select external_id, name, phone, phone_key, email, email_key, created_at, updated_at, seq
        from customers where store_id = ${storeId} order by seq`,
  );
const seqOf = async (storeId: string) =>
  (await db.one<{ seq: number }>(sql`select seq from store_clocks where store_id = ${storeId}`))?.seq;

describe('importing customers', () => {
  test('creates, updates and keeps customers; a second run changes nothing', async () => {
    const { storeId, key } = await service.shop();
    const other = await service.shop();
    const file = [
      'externalId,name,phone,email',
      'c1,Анна,+7 900 000-00-01,A@example.test',
      ',Пётр,8 (900) 000-00-02,',
      'c3,,,',
    ];
    expect(await preview(storeId, ...file)).toEqual(counts(3, 0, 0));
    expect([await stored(storeId), await seqOf(storeId)]).toEqual([[], 0]);
    expect(await load(storeId, ...file)).toEqual(counts(3, 0, 0));
    const before = await stored(storeId);
    expect(before).toMatchObject([
      {
        external_id: 'c1',
        name: 'Анна',
        phone_key: '79000000001',
        email: 'A@example.test',
        email_key: 'a@example.test',
      },
      { external_id: null, name: 'Пётр', phone: '8 (900) 000-00-02', phone_key: '79000000002', email_key: null },
      { external_id: 'c3', name: '', phone: '', phone_key: null },
    ]);
    clock.now += 1000;
    expect(await load(storeId, ...file)).toEqual(counts(0, 0, 3));
    expect([await stored(storeId), await seqOf(storeId)]).toEqual([before, 3]);

    expect(await load(storeId, 'phone,name', '+7 900 000 00 02,Пётр', '79000000001,Anna')).toEqual(counts(0, 2, 0));
    expect(await load(storeId, 'externalId,email', 'c1,', 'c3,new@example.test')).toEqual(counts(0, 2, 0));
    expect((await stored(storeId)).map((row) => [row.external_id, row.name, row.phone, row.email])).toEqual([
      [null, 'Пётр', '+7 900 000 00 02', ''],
      ['c1', 'Anna', '79000000001', ''],
      ['c3', '', '', 'new@example.test'],
    ]);
    const filter = new URLSearchParams({ 'filter[phone]': '89000000001' });
    const found = await service.get(`/api/v1/customers?${filter}`, key);
    expect(found.body.data).toMatchObject([{ externalId: 'c1', name: 'Anna', email: '' }]);
    expect(await stored(other.storeId)).toEqual([]);
  });

  test('a customer created by an order is found by phone and gets the external id; with a shared phone a new one is created', async () => {
    const { storeId, key } = await service.shop();
    await addProduct(service, storeId, { sku: 'P' });
    const order = { items: [{ sku: 'P', quantity: 1 }], customer: { name: 'Anna', phone: '+7 900 111-11-11' } };
    const { body } = await service.post('/api/v1/orders', order, key);
    const file = ['externalId,name,phone', 'x,Anna,89001111111', 'y,Boris,89001111111'];
    expect(await preview(storeId, ...file)).toEqual(counts(1, 1, 0));
    expect(await load(storeId, ...file)).toEqual(counts(1, 1, 0));
    expect(await load(storeId, ...file)).toEqual(counts(0, 0, 2));
    const customer = await service.get(`/api/v1/customers/${body.data.customer.id}`, key);
    expect(customer.body.data).toMatchObject({ externalId: 'x', phone: '89001111111' });
  });

  test('the same customer twice: later rows are rejected; external ids move', async () => {
    const { storeId } = await service.shop();
    const same = (line: number, column: string) => ({ line, column, code: 'duplicate_row', params: { line: 2 } });
    const file = ['externalId,phone,name', ',79000000000,A', ',+79000000000,B', 'x,8 900 000-00-00,C', 'y,+7900,D'];
    const expected = { ...counts(2, 0, 0), rejected: [same(3, 'phone'), same(4, 'phone')], rejectedCount: 2 };
    expect(await preview(storeId, ...file)).toEqual(expected);
    expect(await load(storeId, ...file)).toEqual(expected);
    expect((await load(storeId, 'externalId,name', 'y,D', 'y,E')).rejected).toEqual([same(3, 'externalId')]);
    expect((await stored(storeId)).map(({ name }) => name)).toEqual(['A', 'D']);
    await db.run(
      sql`delete from customer_terms where store_id = ${storeId}
            and record_id = (select c.id from customers c where c.store_id = ${storeId} and c.name = 'D')`,
    );
    await db.run(sql`delete from customers where store_id = ${storeId} and name = 'D'`);
    await load(storeId, 'externalId,phone', 'e,79000000000');
    expect(await load(storeId, 'externalId,phone', ',79000000000', 'e,79000000005')).toEqual(counts(1, 1, 0));
    expect((await stored(storeId)).map((row) => [row.external_id, row.phone_key])).toEqual([
      [null, '79000000000'],
      ['e', '79000000005'],
    ]);
  });

  test('every invalid row is reported by line and the others are imported', async () => {
    const { storeId } = await service.shop();
    const { rejected, ...rest } = await load(
      storeId,
      'externalId,name,phone,email',
      ',Nobody,,only@example.test',
      'a,A,none,',
      `b,${'ж'.repeat(201)},${'1'.repeat(51)},${'e'.repeat(251)}@e.e`,
      'c,C\0,+7\x00900,x@y',
      'd,D,,no address',
      'e,E,,a@b@c',
      `ok,${'ж'.repeat(200)},${'1'.repeat(50)},${'e'.repeat(250)}@e.e`,
    );
    expect(rest).toEqual({ created: 1, updated: 0, unchanged: 0, rejectedCount: 6 });
    expect(rejected).toEqual([
      { line: 2, column: null, code: 'key_required', params: { columns: ['externalId', 'phone'] } },
      { line: 3, column: 'phone', code: 'no_digit', params: {} },
      { line: 4, column: 'name', code: 'too_long', params: { max: 200 } },
      { line: 4, column: 'phone', code: 'too_long', params: { max: 50 } },
      { line: 4, column: 'email', code: 'too_long', params: { max: 254 } },
      { line: 5, column: 'name', code: 'nul', params: {} },
      { line: 5, column: 'phone', code: 'nul', params: {} },
      { line: 6, column: 'email', code: 'not_email', params: { value: 'no address' } },
      { line: 7, column: 'email', code: 'not_email', params: { value: 'a@b@c' } },
    ]);
  });

  test('concurrent orders with the same phones create no duplicate customers', async () => {
    const { storeId, key } = await service.shop();
    await addProduct(service, storeId, { sku: 'P' });
    const phones = Array.from({ length: 60 }, (_, index) => `+7900${String(index).padStart(7, '0')}`);
    const order = (phone: string, email = '') =>
      service.post('/api/v1/orders', { items: [{ sku: 'P', quantity: 1 }], customer: { phone, email } }, key);
    const [report, ...orders] = await Promise.all([
      load(storeId, 'externalId,name,phone', ...phones.map((phone, index) => `c${index},N${index},${phone}`)),
      ...phones.map((phone) => order(phone)),
      ...phones.map((phone) => order(phone, `${phone}@example.test`)),
    ]);
    expect(orders.map(({ status }) => status)).toEqual(orders.map(() => 201));
    expect(report.created + report.updated).toBe(60);
    const all = await stored(storeId);
    expect(all).toHaveLength(60);
    expect(all.every((row) => row.external_id && row.name && row.email)).toBe(true);
    expect(new Set(all.map((row) => row.seq)).size).toBe(60);
  });

  interface Person {
    ext: string;
    phone: string;
    name: string;
  }

  /** A direct implementation of the rules: the customers in order of creation. */
  function applied(people: readonly Person[], rows: readonly Person[]): Person[] {
    const result = people.map((person) => ({ ...person }));
    const earlier: Person[] = [];
    for (const row of rows) {
      const isSame = ({ ext, phone }: Person) =>
        (row.ext && ext === row.ext) || (row.phone && phone === row.phone && !(row.ext && ext));
      if (earlier.some(isSame)) continue;
      earlier.push(row);
      const withSamePhone = result.filter(({ phone }) => row.phone && phone === row.phone);
      const found =
        result.find(({ ext }) => row.ext && ext === row.ext) ??
        (row.ext ? withSamePhone.find(({ ext }) => !ext) : withSamePhone[0]);
      if (found) Object.assign(found, row);
      else result.push({ ...row });
    }
    return result;
  }

  const person = fc
    .record({
      ext: fc.constantFrom('', '', 'a', 'b', 'c', 'd'),
      phone: fc.constantFrom('', '1', '1', '2', '3'),
      name: fc.constantFrom('X', 'Y'),
    })
    .filter(({ ext, phone }) => Boolean(ext || phone));
  const lineOf = ({ ext, name, phone }: Person) => `${ext},${name},${phone}`;
  const header = 'externalId,name,phone';

  test.each([
    ['in one batch', 0, 60],
    ['in several batches', 250, 4],
  ])(
    'finds and creates customers by the rules, %s; a preview has the same counts',
    async (_, fillers, numRuns) => {
      const { storeId } = await service.shop();
      const people = fc.array(person, { maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(people, people, async (first, second) => {
          for (const table of [sql`customers`, sql`customer_terms`])
            await db.run(sql`delete from ${table} where store_id = ${storeId}`);
          await load(storeId, header, ...first.map(lineOf));
          clock.now += 1000;
          const between = Array.from({ length: fillers }, (_, index) => `filler${index},F,`);
          const file = [header, ...second.flatMap((row) => [lineOf(row), ...between])];
          const seen = await preview(storeId, ...file);
          clock.now += 1000;
          expect(await load(storeId, ...file)).toEqual(seen);
          const found = await db.all<Person>(
            sql`select coalesce(external_id, '') as ext, phone, name from customers
                where store_id = ${storeId} and name <> 'F' order by created_at, id`,
          );
          expect(found).toEqual(applied(applied([], first), second));
        }),
        { numRuns },
      );
    },
    60_000,
  );

  test('40,000 customers with one phone take no longer than 40,000 with different phones', async () => {
    const { storeId } = await service.shop();
    const rows = Array.from({ length: 40_000 }, (_, index) => `c${index},N,+7 900 000-00-00`);
    expect(await preview(storeId, header, ...rows)).toEqual(counts(40_000, 0, 0));
  }, 60_000);

  test('of thousands with one phone, the oldest without an external id is found', async () => {
    const { storeId } = await service.shop();
    await load(storeId, 'phone,name', '+7 900 000-00-00,Made by an order');
    clock.now += 1000;
    const rows = Array.from({ length: 3000 }, (_, index) => `c${index},N,+7 900 000-00-00`);
    expect(await load(storeId, header, ...rows)).toEqual(counts(2999, 1, 0));
    expect(await load(storeId, header, ...rows)).toEqual(counts(0, 0, 3000));
    expect(await load(storeId, 'phone,name', '89000000000,Anna')).toEqual(counts(0, 1, 0));
    expect((await stored(storeId)).find(({ name }) => name === 'Anna')).toMatchObject({ external_id: 'c0' });
  }, 60_000);
});
