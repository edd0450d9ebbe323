import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { newSecret } from '@store-sales/server/keys/secret';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { migratedDatabase } from '../../packages/server/test/database.ts';
import { call, envOf, serve, shop, storeSales } from '../processes.ts';

/**
 * One client, with or without a key of its own store, tries to use up all request slots. Other clients must still be
 * served. The long form uses the default limit: ATTACK=long npm test -- e2e/attack
 */
const isLong = process.env.ATTACK === 'long';
const LIMIT = isLong ? 500 : 60;

const testDb = await migratedDatabase();
const env = envOf(testDb, { MAX_WAITING_REQUESTS: String(LIMIT), RATE_LIMIT_PER_MINUTE: '0', TRUST_PROXY: '1' });
await storeSales(env, ['migrate']);
const [ours, others] = [await shop(env), await shop(env)];
const node = await serve(env);
const port = Number(new URL(node.url).port);
// A key that is used for the first time counts as an unknown client, and attackers of a test before may still hold their slots.
for (const { key } of [ours, others]) await call(node, key, 'GET', '/api/v1/credentials');
const sockets = new Set<Socket>();
afterEach(() => {
  for (const socket of sockets) socket.destroy();
});
afterAll(async () => {
  await node.stop();
  await testDb.drop();
});

async function attacker(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}

const attackers = (count: number, text: string) => Promise.all(Array.from({ length: count }, () => attacker(text)));

/** Sends the maximum number of concurrent requests; each must succeed. */
async function expectServed({ key } = ours) {
  const started = performance.now();
  const all = await Promise.all(
    Array.from({ length: LIMIT >> 1 }, () => call(node, key, 'GET', '/api/v1/credentials')),
  );
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
  return Math.round(performance.now() - started);
}

const signIn = (address: string) =>
  fetch(`${node.url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: node.url, 'x-forwarded-for': address },
    body: JSON.stringify({ email: ours.email, password: 'correct horse' }),
  });

const document = 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
const stalledSignIn =
  'POST /console/api/session HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{';
const stalledOrder = (key: string) =>
  `POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`;

describe('a client without a key', () => {
  test('repeatedly sends a thousand pipelined requests and disconnects', async () => {
    await expectServed();
    for (let round = 0; round < (isLong ? 30 : 5); round++) {
      const socket = await attacker(document.repeat(1000));
      socket.destroy();
      await once(socket, 'close');
    }
    const ms = await expectServed();
    console.info(`after connections closed with pipelined requests: ${LIMIT >> 1} requests in ${ms} ms`);
  });

  test('requests large responses and never reads them', async () => {
    await expectServed();
    for (const socket of await attackers(LIMIT, document.repeat(90))) socket.pause();
    const ms = await expectServed();
    expect((await fetch(`${node.url}/readyz`)).status).toBe(200);
    console.info(`with ${LIMIT} connections that do not read: ${LIMIT >> 1} requests in ${ms} ms`);
  });

  test('repeatedly starts to sign in and stalls: API clients and other addresses are served', async () => {
    await expectServed();
    await attackers(LIMIT * 2, stalledSignIn);
    const ms = await expectServed();
    expect((await signIn('192.0.2.1')).status).toBe(204);
    console.info(`with ${LIMIT * 2} stalled sign-ins: ${LIMIT >> 1} requests in ${ms} ms`);
  });

  test('sends unknown keys: clients with a known key are served', async () => {
    await expectServed();
    // With a valid checksum, so that each key is looked up.
    await Promise.all(Array.from({ length: LIMIT * 2 }, () => attacker(stalledOrder(newSecret()))));
    await expectServed();
  });
});

test('a store that stalls all its requests does not block another store', async () => {
  await expectServed(others);
  await attackers(LIMIT * 2, stalledOrder(ours.key));
  const all = await Promise.all(Array.from({ length: 5 }, () => call(node, others.key, 'GET', '/api/v1/credentials')));
  expect(all.map(({ status }) => status)).toEqual(all.map(() => 200));
});
