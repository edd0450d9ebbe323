import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../packages/server/test/database.ts';
import { call, envOf, json, serve, shop } from '../processes.ts';

/**
 * One owner uploads pictures that are expensive to decode, several at a time, as fast as they can. Another store's requests
 * must be served meanwhile, and the service must not grow with what it is sent. The limit allows for a busy machine.
 */
const isLong = process.env.ATTACK === 'long';
const SECONDS = isLong ? 120 : 8;
const UPLOADERS = 4;
const LIMIT_MS = 1000;
const MAX_GROWTH = 200 * 2 ** 20;

const testDb = await testDatabase();
const env = envOf(testDb, { RATE_LIMIT_PER_MINUTE: '0' });
const [attacker, victim] = [await shop(env), await shop(env)];
const node = await serve(env);
afterAll(async () => {
  await node.stop();
  await testDb.drop();
});
const signedIn = await fetch(`${node.url}/console/api/session`, {
  method: 'POST',
  headers: { 'content-type': 'application/json', origin: node.url },
  body: JSON.stringify({ email: attacker.email, password: 'correct horse' }),
});
const cookie = signedIn.headers.getSetCookie().map((line) => line.split(';')[0]);
const headers = { origin: node.url, cookie: cookie.join('; ') };
const store = `${node.url}/console/api/stores/${attacker.storeId}`;
const product = await fetch(`${store}/products`, {
  method: 'POST',
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'Tea', price: 100 }),
});
const { id } = (await product.json()) as { id: string };

const large = sharp({ create: { width: 7000, height: 7000, channels: 4, background: '#cc884480' } });
const pictures = [
  ['image/png', await large.clone().png({ progressive: true }).toBuffer()],
  ['image/webp', await large.clone().webp().toBuffer()],
  ['image/avif', await large.clone().avif({ effort: 0 }).toBuffer()],
  ['image/png', Buffer.alloc(10 * 1024 * 1024 + 1)],
] as const;

/** Of the service, without the processes that decode. */
const memoryOf = (pid: number | undefined) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

test.runIf(process.platform === 'linux')(
  'others are served while one store uploads',
  async () => {
    const end = performance.now() + SECONDS * 1000;
    const isOver = () => performance.now() > end;
    const statuses = new Map<number, number>();
    const uploading = Array.from({ length: UPLOADERS }, async (_, index) => {
      for (let round = index; !isOver(); round++) {
        const [type, body] = pictures[round % pictures.length] as (typeof pictures)[number];
        const { status } = await fetch(`${store}/products/${id}/pictures`, {
          method: 'POST',
          headers: { ...headers, 'content-type': type },
          body: body as unknown as string,
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    });
    const times: number[] = [];
    const before = memoryOf(node.child.pid);
    while (!isOver()) {
      const start = performance.now();
      expect((await call(node, victim.key, 'GET', '/api/v1/orders')).status).toBe(200);
      times.push(performance.now() - start);
    }
    await Promise.all(uploading);
    expect(Math.max(...times)).toBeLessThan(LIMIT_MS);
    expect(memoryOf(node.child.pid) - before).toBeLessThan(MAX_GROWTH);
    // Stored, or refused: too large, one too many, too many of them.
    for (const status of statuses.keys()) expect([201, 409, 413, 429]).toContain(status);
    expect(statuses.get(201)).toBeGreaterThan(0);
  },
  400_000,
);

test('nothing is left behind', async () => {
  const { problems } = await json<{ problems: unknown[] }>(env, ['check']);
  expect(problems).toEqual([]);
});
