import { type SortOrder, sortOrders } from '@store-sales/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Stamps } from './rows.ts';
import type { Service } from './service.ts';

type Row = Stamps & { id: string };

interface PagedList {
  path: string;
  /** Another paged list, whose cursors must be rejected here. */
  otherPath: string;
  insert(storeId: string, stamps: Stamps[]): Promise<Row[]>;
  insertOther(storeId: string, stamps: Stamps[]): Promise<unknown>;
}

const START = Date.parse('2026-01-01T00:00:00.000Z');
const COUNT = 120;
const at = (instant: number) => encodeURIComponent(new Date(instant).toISOString());

/** Many records share `created_at`, some share `updated_at`, which follows `seq`. */
const stamps = Array.from({ length: COUNT }, (_, index) => ({
  created_at: START + ((index * 37) % 10) * 1000,
  updated_at: START + 60_000 + Math.floor(index / 4),
  seq: index + 1,
}));

const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0);

function sorted(rows: Row[], order: SortOrder) {
  const ascending = [...rows].sort((a, b) =>
    order.startsWith('updatedAt')
      ? compare(a.updated_at, b.updated_at) || compare(a.seq, b.seq)
      : compare(a.created_at, b.created_at) || compare(a.id, b.id),
  );
  return (order.endsWith(':asc') ? ascending : ascending.reverse()).map((row) => row.id);
}

/** Tests for every paged list. */
export function listRules(service: Service, { path, otherPath, insert, insertOther }: PagedList) {
  describe(`the list ${path}`, () => {
    let rows: Row[];
    let key: string;
    let otherKey: string;

    beforeAll(async () => {
      const shop = await service.shop();
      const otherStore = await service.shop({ ownerId: shop.ownerId });
      [key, otherKey] = [shop.key, otherStore.key];
      rows = await insert(shop.storeId, stamps);
      await insert(otherStore.storeId, stamps.slice(0, 5));
      await insertOther(shop.storeId, stamps.slice(0, 5));
    });

    const list = (query = '', with_ = key) => service.get(`${path}${query && `?${query}`}`, with_);
    const ids = (body: any): string[] => body.data.map((record: any) => record.id);

    async function walk(query: string) {
      const found: string[] = [];
      for (let cursor = ''; ; ) {
        const { status, body } = await list(cursor ? `${query}&cursor=${cursor}` : query);
        expect(status).toBe(200);
        expect(body.page.hasMore).toBe(body.page.nextCursor !== null);
        found.push(...ids(body));
        if (!body.page.hasMore) return found;
        cursor = encodeURIComponent(body.page.nextCursor);
      }
    }

    test('returns the 50 newest records by default', async () => {
      const { body } = await list();
      expect(ids(body)).toEqual(sorted(rows, 'createdAt:desc').slice(0, 50));
      expect(body.page.hasMore).toBe(true);
    });

    test.each(sortOrders)('pages of %s contain all records, in order', async (order) => {
      for (const limit of [7, 40, 100])
        expect(await walk(`order=${order}&limit=${limit}`)).toEqual(sorted(rows, order));
    });

    test('a page of one record', async () => {
      const whole = sorted(rows, 'updatedAt:asc');
      const first = await list('order=updatedAt:asc&limit=1');
      const next = await list(`order=updatedAt:asc&limit=1&cursor=${first.body.page.nextCursor}`);
      expect([ids(first.body), ids(next.body)]).toEqual([whole.slice(0, 1), whole.slice(1, 2)]);
    });

    test.each(['0', '101', '-1', '1.5', 'ten', ''])('limit=%s is rejected', async (limit) => {
      const { status, body } = await list(`limit=${limit}`);
      expect([status, body.code, body.errors[0].parameter]).toEqual([400, 'invalid_parameter', 'limit']);
    });

    test('the time of a record, as both from and to, finds it', async () => {
      const [record] = (await list('limit=1')).body.data;
      for (const field of ['createdAt', 'updatedAt']) {
        const time = encodeURIComponent(record[field]);
        const { body } = await list(`filter[${field}][from]=${time}&filter[${field}][to]=${time}&limit=100`);
        expect(ids(body)).toContain(record.id);
        expect(body.data.every((other: any) => other[field] === record[field])).toBe(true);
      }
    });

    test.each(sortOrders)('bounds are inclusive and combine, under %s', async (order) => {
      const [created, updated] = [START + 3000, START + 60_010];
      const cases: [string, (row: Row) => boolean][] = [
        [`filter[createdAt][from]=${at(created)}`, (row) => row.created_at >= created],
        [`filter[createdAt][to]=${at(created)}`, (row) => row.created_at <= created],
        [`filter[updatedAt][from]=${at(updated)}`, (row) => row.updated_at >= updated],
        [`filter[updatedAt][to]=${at(updated)}`, (row) => row.updated_at <= updated],
        [
          `filter[createdAt][from]=${at(created)}&filter[updatedAt][to]=${at(updated)}`,
          (row) => row.created_at >= created && row.updated_at <= updated,
        ],
        [`filter[createdAt][from]=${at(START + 3_600_000)}`, () => false],
      ];
      for (const [filter, matches] of cases)
        expect(await walk(`${filter}&order=${order}&limit=9`), filter).toEqual(sorted(rows.filter(matches), order));
    });

    describe('syncCursor', () => {
      const follow = (cursor: string, query = '', with_ = key) =>
        list(`order=updatedAt:asc&cursor=${encodeURIComponent(cursor)}${query}`, with_);
      /** The cursor of the last page. */
      async function atTheEnd(query = '') {
        for (let page = (await list(`order=updatedAt:asc&limit=100${query}`)).body.page; ; ) {
          if (!page.nextCursor) return page.syncCursor as string;
          page = (await follow(page.nextCursor, `&limit=100${query}`)).body.page;
        }
      }

      test('is on every page of updatedAt:asc and on no other', async () => {
        const first = await list('order=updatedAt:asc&limit=50');
        const last = await follow(first.body.page.nextCursor, '&limit=100');
        expect([first.body.page.syncCursor, last.body.page.syncCursor]).toEqual([
          expect.any(String),
          expect.any(String),
        ]);
        expect(last.body.page.hasMore).toBe(false);
        for (const order of sortOrders.filter((each) => each !== 'updatedAt:asc'))
          expect((await list(`order=${order}`)).body.page).not.toHaveProperty('syncCursor');
      });

      test('an idle poll returns nothing, and a cursor that goes on', async () => {
        let cursor = await atTheEnd();
        for (let poll = 0; poll < 3; poll++) {
          const { body } = await follow(cursor, `&limit=${poll + 1}`);
          expect([body.data, body.page.hasMore, body.page.nextCursor]).toEqual([[], false, null]);
          cursor = body.page.syncCursor;
        }
      });

      test('returns what changed after its page, from any page', async () => {
        const whole = sorted(rows, 'updatedAt:asc');
        const first = await list('order=updatedAt:asc&limit=30');
        const rest = await follow(first.body.page.syncCursor, '&limit=100');
        expect(ids(rest.body)).toEqual(whole.slice(30));
      });

      test('of an empty list returns everything that is added later', async () => {
        const shop = await service.shop();
        const empty = await list('order=updatedAt:asc', shop.key);
        const [added] = await insert(shop.storeId, stamps.slice(0, 1));
        expect(ids((await follow(empty.body.page.syncCursor, '', shop.key)).body)).toEqual([added?.id]);
      });

      test('is valid with the same filters only', async () => {
        const filter = `&filter[createdAt][from]=${at(START)}`;
        const cursor = await atTheEnd(filter);
        expect((await follow(cursor, `&limit=7${filter}`)).status).toBe(200);
        for (const other of ['', `&filter[createdAt][from]=${at(START + 1)}`, `${filter}&filter[externalId]=x`]) {
          const { status, body } = await follow(cursor, other);
          expect([status, body.code, body.errors[0].parameter], other).toEqual([400, 'invalid_cursor', 'cursor']);
        }
        const unfiltered = await atTheEnd();
        expect((await follow(unfiltered, filter)).status).toBe(400);
      });
    });

    test('another store sees only its own records', async () => {
      const { body } = await list('limit=100', otherKey);
      expect(body.data).toHaveLength(5);
      expect(ids(body).some((id) => rows.some((row) => row.id === id))).toBe(false);
    });

    test('a cursor is valid only for its list, order and store, and only unaltered', async () => {
      const cursorOf = async (from: string, query: string, with_: string) =>
        (await service.get(`${from}?limit=2&${query}`, with_)).body.page.nextCursor as string;
      const good = await cursorOf(path, 'order=createdAt:asc', key);
      const altered = (good[5] === 'A' ? 'B' : 'A') + good.slice(6);
      const bad = {
        'another list': await cursorOf(otherPath, 'order=createdAt:asc', key),
        'another store': await cursorOf(path, 'order=createdAt:asc', otherKey),
        'another order': await cursorOf(path, 'order=updatedAt:asc', key),
        'altered position': good.slice(0, 5) + altered,
        'altered tag': good.slice(0, -1) + (good.endsWith('A') ? 'B' : 'A'),
        'cut short': good.slice(0, -1),
        nonsense: 'nonsense',
      };
      expect((await list(`order=createdAt:asc&cursor=${good}`)).status).toBe(200);
      for (const [name, cursor] of Object.entries(bad)) {
        const { status, body } = await list(`order=createdAt:asc&cursor=${encodeURIComponent(cursor)}`);
        expect([status, body.code], name).toEqual([400, 'invalid_cursor']);
      }
    });

    test.each([
      ['page=2', 'unknown_parameter', 'page'],
      ['limit=2&limit=3', 'invalid_parameter', 'limit'],
      ['order=name:asc', 'invalid_parameter', 'order'],
      ['filter[externalId]=', 'invalid_parameter', 'filter[externalId]'],
      ['filter[createdAt][from]=2026-01-01', 'invalid_parameter', 'filter[createdAt][from]'],
    ])('%s is rejected with the name of the parameter', async (query, code, parameter) => {
      const { status, body } = await list(query);
      expect([status, body.code, body.errors[0].parameter]).toEqual([400, code, parameter]);
    });
  });
}
