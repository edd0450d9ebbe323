import { describe, expect, test } from 'vitest';
import { isCitus } from '../../../test/database.ts';
import { startService } from '../../../test/service.ts';
import { writesReferenceTable } from './serialize-reference-writes.ts';

test.each([
  ['insert into stores (id) values ($1)', true],
  ['delete from api_keys where store_id = $1', true],
  ['select plan from stores where id = $1 for no key update', true],
  ['select t.id\n from delivery_types t where t.id = $1 for update', true],
  ['select plan from stores where id = $1', false],
  ['insert into orders (store_id) select id from stores', false],
  ['update store_clocks set seq = seq + 1', false],
  ['select id from orders where id = $1 for update', false],
])('%s: %s', (text, expected) => {
  expect(writesReferenceTable(text)).toBe(expected);
});

describe.runIf(isCitus)('on a cluster', () => {
  test('many stores and keys can be created at once', async () => {
    const service = await startService();
    const shops = await Promise.all(Array.from({ length: 24 }, () => service.shop()));
    for (const { key } of shops) expect((await service.get('/api/v1/orders', key)).status).toBe(200);
  });
});
