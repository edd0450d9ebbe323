import { afterAll, describe, expect, test } from 'vitest';
import { migratedDatabase } from '../../test/database.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { sql } from '../db/sql.ts';
import { uuid } from '../db/uuid.ts';

const database = await migratedDatabase();
afterAll(() => database.drop());
const service = await startService({ database });

async function open() {
  const signedIn = await signedInOwner(service);
  const { visitor, path } = signedIn;
  return {
    ...signedIn,
    list: async (query = '') => (await visitor.get(`${path}/promo-codes${query}`)).body,
    create: (code: string, more: object = { percent: 10 }) => visitor.post(`${path}/promo-codes`, { code, ...more }),
    turn: (id: string, isActive: boolean) => visitor.patch(`${path}/promo-codes/${id}`, { isActive }),
  };
}

describe('a promo code', () => {
  test('is created with its terms, listed, switched off and on, and each is in the history', async () => {
    const { create, list, turn, visitor, path } = await open();
    const terms = {
      amount: 50_000,
      minTotal: 300_000,
      from: '2026-10-01T00:00:00+03:00',
      to: '2026-10-31T23:59:59.999+03:00',
      maxUses: 5,
    };
    const created = await create('  Весна ', terms);
    expect([created.status, created.body]).toEqual([
      201,
      {
        id: expect.any(String),
        code: 'Весна',
        percent: null,
        amount: 50_000,
        minTotal: 300_000,
        from: '2026-09-30T21:00:00.000Z',
        to: '2026-10-31T20:59:59.999Z',
        maxUses: 5,
        uses: 0,
        revenue: 0,
        isActive: true,
        createdAt: '2026-09-27T10:00:00.000Z',
      },
    ]);
    const second = await create('TEA');
    expect(second.body).toMatchObject({ percent: 10, amount: null, minTotal: 0, from: null, to: null, maxUses: null });
    expect((await list()).codes).toEqual([second.body, created.body]);
    const { id } = created.body;
    expect((await turn(id, false)).body).toEqual({ ...created.body, isActive: false });
    expect((await turn(id, false)).status).toBe(200);
    expect((await turn(id, true)).body).toEqual(created.body);
    const { entries } = (await visitor.get(`${path}/history?kind=promo_codes`)).body;
    expect(entries.map(({ action, subject, details }: any) => [action, subject.name, details])).toEqual([
      ['enabled', 'Весна', {}],
      ['disabled', 'Весна', {}],
      ['created', 'TEA', { percent: 10 }],
      ['created', 'Весна', terms],
    ]);
  });

  test('is unique in its store, in any spelling, also among concurrent requests', async () => {
    const [{ create, list }, other] = [await open(), await open()];
    const spellings = ['Весна', 'ВЕСНА', ' весна ', 'весна'];
    const replies = await Promise.all(spellings.map((code) => create(code)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    expect(replies.find(({ status }) => status === 409)?.body.code).toBe('code_taken');
    expect((await create('ﬁve')).status).toBe(201);
    expect((await create('FIVE')).status).toBe(409);
    expect((await list()).codes).toHaveLength(2);
    expect((await other.create('весна')).status).toBe(201);
  });

  test.each<[object, string[]]>([
    [{ code: '', percent: 1 }, ['/code too_short']],
    [{ code: '  ', percent: 1 }, ['/code too_short']],
    [{ code: 'x'.repeat(101), percent: 1 }, ['/code too_long']],
    [{ code: 'a\nb', percent: 1 }, ['/code invalid_characters']],
    [{ code: 'x' }, ['/percent required']],
    [{ code: 'x', percent: 10, amount: 10 }, ['/amount conflict']],
    [{ code: 'x', percent: 0 }, ['/percent too_small']],
    [{ code: 'x', percent: 101 }, ['/percent too_large']],
    [{ code: 'x', percent: 1.5 }, ['/percent wrong_type']],
    [{ code: 'x', amount: 0 }, ['/amount too_small']],
    [{ code: 'x', percent: 1, minTotal: -1 }, ['/minTotal too_small']],
    [{ code: 'x', percent: 1, maxUses: 0 }, ['/maxUses too_small']],
    [{ code: 'x', percent: 1, from: '2026-10-01' }, ['/from invalid_format']],
    [{ code: 'x', percent: 1, from: '2026-10-02T00:00:00Z', to: '2026-10-01T00:00:00Z' }, ['/to too_small']],
    [{ code: 'x', percent: 1, uses: 7 }, ['/uses unknown']],
  ])('%j is refused at the field', async (body, expected) => {
    const { visitor, path } = await open();
    const reply = await visitor.post(`${path}/promo-codes`, body);
    expect(reply.body.errors.map(({ pointer, code }: any) => `${pointer} ${code}`)).toEqual(expected);
    expect(reply.status).toBe(422);
  });

  test('of another store is not found', async () => {
    const [own, other] = [await open(), await open()];
    const { id } = (await own.create('TEA')).body;
    expect((await other.turn(id, false)).status).toBe(404);
    expect((await own.turn('x', false)).status).toBe(404);
    expect((await other.list()).codes).toEqual([]);
    expect((await own.list()).codes).toMatchObject([{ isActive: true }]);
  });
});

test('codes are listed in pages, and found by their start', async () => {
  const { storeId, list, create } = await open();
  await create('Ёлка-1');
  for (let index = 0; index < 60; index++) {
    const key = `code-${index}`;
    await service.db.run(
      sql`insert into promo_codes (store_id, id, code, code_key, percent, min_total, created_at)
          values (${storeId}, ${uuid(service.clock.now + index)}, ${key}, ${key}, 5, 0, 0)`,
    );
  }
  const first = await list();
  const rest = await list(`?cursor=${first.nextCursor}`);
  expect([first.codes.length, rest.codes.length, rest.nextCursor]).toEqual([50, 11, null]);
  expect(new Set([...first.codes, ...rest.codes].map(({ id }: any) => id)).size).toBe(61);
  expect(first.codes[0].code).toBe('code-59');
  const codesOf = async (q: string) => (await list(`?q=${encodeURIComponent(q)}`)).codes.map(({ code }: any) => code);
  expect(await codesOf(' CODE-5')).toEqual(
    ['59', '58', '57', '56', '55', '54', '53', '52', '51', '50', '5'].map((n) => `code-${n}`),
  );
  expect(await codesOf('ёЛ')).toEqual(['Ёлка-1']);
  expect(await codesOf('%')).toEqual([]);
});

test('a store has at most 10,000 codes', async () => {
  const { storeId, create } = await open();
  const rows = Array.from({ length: 9_999 }, (_, index) => ({
    id: uuid(service.clock.now + index),
    key: `c-${index}`,
  }));
  for (let start = 0; start < rows.length; start += 1000)
    await service.db.run(
      sql`insert into promo_codes (store_id, id, code, code_key, percent, min_total, created_at)
          select ${storeId}, x.id, x.key, x.key, 5, 0, 0
          from ${service.db.dialect.records('x', { id: 'uuid', key: 'text' }, rows.slice(start, start + 1000))}`,
    );
  const replies = await Promise.all(['a', 'b', 'c'].map((code) => create(code)));
  expect(replies.map(({ status, body }) => [status, body.code]).sort()).toEqual([
    [201, expect.any(String)],
    [409, 'limit_reached'],
    [409, 'limit_reached'],
  ]);
});
