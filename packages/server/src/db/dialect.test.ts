import { expect, test } from 'vitest';
import { engine } from '../../test/database.ts';
import { startService } from '../../test/service.ts';
import { sql } from './sql.ts';

const { db } = await startService();

const columns = { id: 'uuid', at: 'instant', count: 'integer', is_on: 'boolean', text: 'text' } as const;
type Row = Record<keyof typeof columns, unknown>;

test('records passes rows unchanged, whatever they contain', async () => {
  const texts = [
    '',
    'NULL',
    'null',
    '{a,b}',
    '"quoted"',
    "it's",
    'back\\slash',
    'line\nbreak',
    '[1,"x"]',
    'чай 🍵',
    null,
  ];
  const given = texts.map((text, index) => ({
    id: `0192f000-0000-7000-8000-0000000000${10 + index}`,
    at: index % 2 ? null : Number.MAX_SAFE_INTEGER - index,
    count: -index,
    is_on: index % 3 === 0,
    text,
  }));
  const stored = await db.all<Row>(
    sql`select x.id, x.at, x.count, x.is_on, x.text from ${db.dialect.records('x', columns, given)} order by x.id`,
  );
  const actual = stored.map((row) => ({ ...row, is_on: Boolean(row.is_on) }));
  expect(actual).toEqual(given.map((row) => ({ ...row, count: row.count || 0 })));
});

test('texts and bytes are returned unchanged, on every connection', async () => {
  const given = 'чай 🍵 é \u0080';
  const bytes = db.dialect.bytes(sql`cast(${given} as text)`);
  const statement = sql`select cast(${given} as text) as text, ${bytes} as bytes`;
  const inTransaction = await db.transaction((tx) => tx.one(statement));
  for (const row of [await db.one(statement), await db.fastReads.one(statement), inTransaction])
    expect(row).toEqual({ text: given, bytes: Buffer.from(given) });
});

test.runIf(engine === 'postgres')('error messages of the server are decoded as UTF-8', async () => {
  await expect(db.fastReads.one(sql`select cast(${'чай'} as text)::bigint`)).rejects.toThrow('чай');
});

test('an instant as ISO 8601 is what JavaScript makes of it', async () => {
  const spread = Array.from({ length: 1000 }, (_, index) => 1_600_000_000_000 + index * 123_456_789);
  const instants = [0, 1, 10, 100, 999, 1000, 951_782_399_999, 951_782_400_000, 253_402_300_799_999, ...spread];
  const rows = instants.map((at) => ({ at }));
  const written = await db.all(
    sql`select x.at, ${db.dialect.iso(sql`x.at`)} as iso from ${db.dialect.records('x', { at: 'instant' }, rows)} order by x.at`,
  );
  expect(written).toEqual(instants.toSorted((a, b) => a - b).map((at) => ({ at, iso: new Date(at).toISOString() })));
});

test('records of no rows is an empty table', async () => {
  expect(await db.all(sql`select x.id from ${db.dialect.records('x', columns, [])}`)).toEqual([]);
});
