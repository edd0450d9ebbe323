import { consoleEndpoints } from '@store-sales/contract/console';
import { expect, test } from 'vitest';
import type { Browser } from '../../test/browser.ts';
import { addProduct } from '../../test/catalog.ts';
import { cleanUpAfter } from '../../test/cleanup.ts';
import { testDatabase } from '../../test/database.ts';
import { signedInMember } from '../../test/member.ts';
import { type Service, startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { MAX_STREAMS } from './watch-stores.ts';

const { maxOpen: MAX_TEAM_STREAMS } = consoleEndpoints['GET /stores/{storeId}/changes'].response;

const database = await testDatabase();
cleanUpAfter(() => database.drop());
// Fewer waiting requests than open streams.
const [one, other] = [
  await startService({ database, env: { MAX_WAITING_REQUESTS: '8' } }),
  await startService({ database }),
];

async function open(service: Service, { jar }: Browser, storeId: string) {
  const abort = new AbortController();
  cleanUpAfter(() => abort.abort());
  const response = await fetch(`${service.url}/console/api/stores/${storeId}/changes`, {
    headers: { origin: service.url, cookie: [...jar].map((pair) => pair.join('=')).join('; ') },
    signal: abort.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    close: () => abort.abort(),
    /** The next event, or undefined at the end of the stream. */
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n');
        const block = text.slice(0, end);
        if (end >= 0) text = text.slice(end + 2);
        if (end >= 0 && block.startsWith('data: ')) return JSON.parse(block.slice(6));
        if (end >= 0) continue;
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (done) return undefined;
        text += value;
      }
    },
  };
}

test('a page learns of the changes of its store, made by any process, and of no others', async () => {
  const { visitor, storeId } = await signedInOwner(one);
  const stranger = await other.shop();
  const sku = 'A';
  for (const id of [storeId, stranger.storeId]) await addProduct(other, id, { sku });
  const order = { items: [{ sku, quantity: 1 }] };
  const stream = await open(one, visitor, storeId);
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const before = await stream.next();
  expect(before).toEqual({ seq: expect.any(Number), lastNumber: 0 });

  await other.post('/api/v1/orders', order, stranger.key);
  const { body } = await other.post('/api/v1/orders', order, await other.key(storeId));
  const created = await stream.next();
  expect(created).toEqual({ seq: before.seq + 1, lastNumber: body.data.number });
  // A second page of the same store begins with its state.
  expect(await (await open(one, visitor, storeId)).next()).toEqual(created);
});

test('an owner has a limited number of streams, and they delay nobody', async () => {
  const { visitor, storeId } = await signedInOwner(one);
  const neighbour = await signedInOwner(one);
  const streams = [];
  for (let index = 0; index < MAX_STREAMS; index++) streams.push(await open(one, visitor, storeId));
  const refused = await open(one, visitor, storeId);
  expect(refused.response.status).toBe(429);
  expect(refused.response.headers.get('retry-after')).toBe('60');
  expect((await visitor.get(`/stores/${storeId}/orders`)).status).toBe(200);
  expect((await open(one, neighbour.visitor, neighbour.storeId)).response.status).toBe(200);

  streams[0]?.close();
  await expect.poll(async () => (await open(one, visitor, storeId)).response.status).toBe(200);
});

test('members share the number of streams of their owner', async () => {
  const { visitor, storeId } = await signedInOwner(one);
  const members = [visitor];
  while (members.length * MAX_STREAMS < MAX_TEAM_STREAMS)
    members.push((await signedInMember(one, storeId, 'viewer')).visitor);
  for (const member of members)
    for (let index = 0; index < MAX_STREAMS; index++)
      expect((await open(one, member, storeId)).response.status).toBe(200);
  const { visitor: another } = await signedInMember(one, storeId, 'viewer');
  expect((await open(one, another, storeId)).response.status).toBe(429);
  const neighbour = await signedInOwner(one);
  expect((await open(one, neighbour.visitor, neighbour.storeId)).response.status).toBe(200);
});

test('a stopping process ends its streams', async () => {
  const service = await startService({ database });
  const { visitor, storeId } = await signedInOwner(service);
  const stream = await open(service, visitor, storeId);
  await stream.next();
  await service.app.close();
  expect(await stream.next()).toBeUndefined();
});
