import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../server/test/catalog.ts';
import { startService } from '../../server/test/service.ts';
import { signedInOwner } from '../../server/test/signed-in-owner.ts';
import { type OrderWithItems, StoreSales } from './index.ts';

const service = await startService();
let serial = 0;

/** A store with one product, and a copy of its orders that `sync` updates. */
async function follower(limit = 3) {
  const { storeId, key } = await service.shop();
  await addProduct(service, storeId, { sku: 'tea' });
  const client = new StoreSales({ baseUrl: service.url, apiKey: key, retries: 0 });
  const copy = new Map<string, OrderWithItems>();
  let bookmark: string | undefined;

  return {
    client,
    copy,
    bookmark: () => bookmark,
    create: () => client.orders.create({ externalId: `e-${++serial}`, items: [{ sku: 'tea', quantity: 1 }] }),
    /** `afterBatch` may return 'stop' to end the run. Returns the numbers of the delivered orders. */
    async sync(afterBatch: (batch: number) => Promise<unknown> = async () => {}) {
      const delivered: number[] = [];
      let batch = 0;
      for await (const { records, bookmark: next } of client.orders.sync({ bookmark, limit, with: 'items' })) {
        for (const order of records) {
          expect(copy.get(order.id), 'the same version twice').not.toEqual(order);
          copy.set(order.id, order);
          delivered.push(order.number);
        }
        bookmark = next;
        if ((await afterBatch(++batch)) === 'stop') break;
      }
      return delivered;
    },
    async expectComplete() {
      const expected: OrderWithItems[] = [];
      for await (const order of client.orders.all({ with: 'items', order: 'createdAt:asc' })) expected.push(order);
      expect([...copy.values()].sort((a, b) => a.number - b.number)).toEqual(expected);
    },
  };
}

describe('changes with the same time', () => {
  test('new and changed records are yielded, delivered ones are not', async () => {
    const { sync, create, client } = await follower(100);
    const [first, second] = [await create(), await create()];
    expect(await sync()).toEqual([1, 2]);
    expect(await sync()).toEqual([]);
    await create();
    expect(await sync()).toEqual([3]);
    await client.orders.change(first.id, { notes: 'changed' });
    expect(await sync()).toEqual([1]);
    await client.orders.change(second.id, { notes: 'once' });
    await client.orders.change(second.id, { notes: 'twice' });
    expect(await sync()).toEqual([2]);
    expect(await sync()).toEqual([]);
  });

  test('a record that changes and changes back is yielded', async () => {
    const { sync, create, client, copy, expectComplete } = await follower(1);
    const { id } = await create();
    const note = (notes: string) => client.orders.change(id, { notes });
    await sync();
    const before = copy.get(id);
    await note('there');
    await create();
    // Both changes and the order between them have the same time.
    expect(await sync(async (batch) => batch === 1 && note(''))).toEqual([1, 2, 1]);
    expect(copy.get(id)).toEqual(before);
    await expectComplete();
  });

  test('more than a page of them do not make the bookmark long', async () => {
    const { sync, create, client, bookmark, expectComplete } = await follower(3);
    const status = await client.references.orderStatuses.create({ group: 'packing', name: 'Wrapped' });
    for (let made = 0; made < 8; made++) {
      const { id } = await create();
      await client.orders.change(id, { statusId: status.id });
    }
    service.clock.now += 1000;
    await client.references.orderStatuses.change(status.id, { isActive: false });
    expect(await sync()).toHaveLength(8);
    expect(bookmark()?.length).toBeLessThan(400);
    expect(await sync()).toEqual([]);
    await create();
    expect(await sync()).toEqual([9]);
    await expectComplete();
  });
});

test('a record that changes during the run is yielded again in its new state', async () => {
  const { sync, create, client, expectComplete } = await follower(2);
  const first = await create();
  for (let made = 0; made < 4; made++) await create();
  service.clock.now += 5;
  const change = (batch: number) => (batch === 1 ? client.orders.change(first.id, { notes: 'n' }) : undefined);
  expect(await sync(async (batch) => change(batch))).toEqual([1, 2, 3, 4, 5, 1]);
  await expectComplete();
});

test('an interrupted run continues from its last bookmark', async () => {
  const { sync, create, expectComplete } = await follower(2);
  for (let made = 0; made < 5; made++) await create();
  expect(await sync(async () => 'stop')).toEqual([1, 2]);
  expect(await sync(async () => 'stop')).toEqual([3, 4]);
  expect(await sync()).toEqual([5]);
  await expectComplete();
});

test('no change is missed or repeated under random steps', async () => {
  const step = fc.oneof(
    fc.constant({ do: 'create' as const }),
    fc.record({ do: fc.constant('change' as const), which: fc.nat(20) }),
    fc.constant({ do: 'tick' as const }),
    fc.record({ do: fc.constant('sync' as const), stopAfter: fc.integer({ min: 1, max: 4 }), which: fc.nat(20) }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.integer({ min: 1, max: 4 }),
      async (steps, limit) => {
        const { client, sync, create, expectComplete } = await follower(limit);
        const ids: string[] = [(await create()).id];
        const change = (which: number) =>
          client.orders.change(ids[which % ids.length] as string, { notes: `note ${++serial}` });
        for (const each of steps) {
          if (each.do === 'create') ids.push((await create()).id);
          if (each.do === 'change') await change(each.which);
          if (each.do === 'tick') service.clock.now += 1;
          if (each.do === 'sync')
            await sync(async (batch) => {
              if (batch === each.stopAfter) return 'stop';
              await change(each.which);
            });
        }
        await sync();
        await expectComplete();
        expect(await sync()).toEqual([]);
      },
    ),
    { numRuns: 15, seed: 7 },
  );
}, 120_000);

test('products, customers and events are synchronized too', async () => {
  const { client, create, sync } = await follower();
  await create();
  await sync();
  await client.orders.create({ items: [{ sku: 'tea', quantity: 1 }], customer: { email: 'a@example.test' } });
  const countRecords = async (batches: AsyncIterable<{ records: object[] }>) => {
    let count = 0;
    for await (const { records } of batches) count += records.length;
    return count;
  };
  expect(await countRecords(client.products.sync())).toBe(1);
  expect(await countRecords(client.customers.sync({ limit: 1 }))).toBe(1);
  expect(await countRecords(client.events.sync({ limit: 1 }))).toBe(2);
});

test('customers are synchronized with those that were merged', async () => {
  const { storeId, visitor, path } = await signedInOwner(service);
  const client = new StoreSales({ baseUrl: service.url, apiKey: await service.key(storeId) });
  const create = async (name: string) => (await visitor.post(`${path}/customers`, { name })).body.id as string;
  const [kept, merged] = [await create('Kept'), await create('Merged')];
  let bookmark: string | undefined;
  const sync = async () => {
    const found: object[] = [];
    for await (const batch of client.customers.sync({ with: 'merged', bookmark })) {
      found.push(...batch.records.map(({ id, mergedIntoId }) => ({ id, mergedIntoId })));
      bookmark = batch.bookmark;
    }
    return found;
  };
  expect(await sync()).toEqual([kept, merged].map((id) => ({ id, mergedIntoId: null })));
  await visitor.post(`${path}/customers/${kept}/merge`, { otherId: merged });
  expect(await sync()).toEqual([{ id: merged, mergedIntoId: kept }]);
  expect(await sync()).toEqual([]);
});

describe('a bookmark', () => {
  const drain = async (batches: AsyncIterable<unknown>) => {
    for await (const _ of batches);
  };

  test('of another list or store, or an invalid one, is rejected', async () => {
    const [one, other] = [await follower(), await follower()];
    await one.create();
    await one.sync();
    const bookmark = one.bookmark() as string;
    await expect(drain(one.client.products.sync({ bookmark }))).rejects.toThrow(/for orders, not for products/);
    await expect(drain(other.client.orders.sync({ bookmark }))).rejects.toThrow(/store/);
    for (const invalid of ['x', bookmark.slice(8), btoa('[1]'), btoa('{}')])
      await expect(drain(one.client.orders.sync({ bookmark: invalid }))).rejects.toThrow(/invalid/);
  });

  test('works after the secret that signed its cursor is gone', async () => {
    const { create, sync, bookmark, client } = await follower(2);
    for (let made = 0; made < 4; made++) await create();
    await sync(async () => 'stop');
    const [version, list, storeId, cursor, at] = JSON.parse(atob(bookmark() as string));
    const unsigned = btoa(JSON.stringify([version, list, storeId, `${cursor}x`, at]));
    const numbers: number[] = [];
    for await (const { records } of client.orders.sync({ bookmark: unsigned }))
      numbers.push(...records.map(({ number }) => number));
    expect(numbers).toEqual(expect.arrayContaining([3, 4]));
  });
});
