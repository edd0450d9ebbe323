import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../packages/server/test/database.ts';
import { call, envOf, json, serve } from './processes.ts';

/** The long form: IDLE_CONNECTIONS=10000 npm test -- e2e/slow-clients (wants `ulimit -n` above twice that). */
const IDLE = Number(process.env.IDLE_CONNECTIONS ?? 500);
/** For a whole request; a third of it for the headers, three times as long for standing still. */
const REQUEST_MS = 3000;
const SLACK_MS = 15_000;

const place = await testDatabase();
const env = envOf(place, { RATE_LIMIT_PER_MINUTE: '0' });
const { apiKey } = await json<{ apiKey: string }>(env, ['demo']);
const node = await serve(env);
/** The same with little patience, so that a test need not wait long for its end. */
const hasty = await serve({ ...env, REQUEST_TIMEOUT: `${REQUEST_MS / 1000}s` });
const open = new Set<Socket>();
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await Promise.all([node.stop(), hasty.stop()]);
  await place.drop();
});

const get = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n${more}\r\n`;

interface Client {
  socket: Socket;
  text: string;
  /** When the server hung up. */
  ended: Promise<number>;
}

function client(to = node, greeting = ''): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(to.url).port), '127.0.0.1');
    open.add(socket);
    const ended = new Promise<number>((done) => socket.on('close', () => done(Date.now())));
    const made: Client = { socket, text: '', ended };
    socket.on('data', (data) => {
      made.text += data;
    });
    socket.on('error', reject);
    socket.on('connect', () => {
      if (greeting) socket.write(greeting);
      resolve(made);
    });
    socket.on('close', () => open.delete(socket));
  });
}

const clients = (count: number, to = node, greeting?: string) =>
  Promise.all(Array.from({ length: count }, () => client(to, greeting)));

/** Writes a byte now and then for as long as the other side listens. */
async function drip({ socket }: Client, text: string) {
  for (let index = 0; socket.writable; index = (index + 1) % text.length) {
    socket.write(text[index] as string);
    await sleep(100);
  }
}

/** What an ordinary client meets meanwhile: the median of its waits. */
async function bystander(to = node, count = 60) {
  const waits: number[] = [];
  for (let index = 0; index < count; index++) {
    const started = performance.now();
    const { status } = await call(to, apiKey, 'GET', '/api/v1/orders?limit=10');
    expect(status).toBe(200);
    waits.push(performance.now() - started);
  }
  return waits.sort((a, b) => a - b)[count >> 1] as number;
}

/** How many connections the server holds; this side does not learn of an end while it does not read. */
async function sockets() {
  const text = await (await fetch(`${hasty.url}/metrics`)).text();
  return Number(/^store_sales_http_connections (\d+)/m.exec(text)?.[1]);
}

/** All of them are hung up on between these times, with these words. */
async function expectHungUp(many: Client[], after: number, status: string) {
  const started = Date.now();
  const ends = await Promise.all(many.map(({ ended }) => ended));
  for (const end of ends) {
    expect(end - started).toBeGreaterThanOrEqual(after - 100);
    expect(end - started).toBeLessThan(after + SLACK_MS);
  }
  for (const { text } of many) expect(text).toContain(status);
}

describe('slow clients are hung up on in time, and others are served meanwhile', () => {
  test('headers that never end, bodies that drip, and those who say nothing', async () => {
    const calm = await bystander(hasty);
    const [slowHeaders, silent, slowBodies] = await Promise.all([
      clients(100, hasty),
      clients(100, hasty),
      clients(50, hasty),
    ]);
    for (const one of slowHeaders) {
      one.socket.write('GET /api/v1/orders HTTP/1.1\r\nHost: x\r\n');
      void drip(one, 'x-a: b\r\n');
    }
    for (const one of slowBodies) {
      one.socket.write(
        `POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{`,
      );
      void drip(one, ' ');
    }
    const [busy] = await Promise.all([
      bystander(hasty),
      expectHungUp(slowHeaders, REQUEST_MS / 3, '"code":"request_timeout"'),
      expectHungUp(silent, REQUEST_MS / 3, 'HTTP/1.1 408 Request Timeout'),
      expectHungUp(slowBodies, REQUEST_MS, 'HTTP/1.1 408'),
    ]);
    expect(busy).toBeLessThan(calm * 20 + 100);
  });

  test('those who do not read their answers', async () => {
    const stalled = await clients(5, hasty);
    for (const { socket } of stalled) {
      socket.pause();
      // Far more than the buffers between us hold, and together less than may wait.
      for (let count = 0; count < 90; count++) socket.write(get('/api/v1/orders?limit=100&with=items'));
    }
    await bystander(hasty);
    const held = await sockets();
    await expect.poll(sockets, { timeout: REQUEST_MS * 3 + SLACK_MS, interval: 500 }).toBeLessThanOrEqual(held - 5);
    for (const { socket } of stalled) socket.resume();
    await Promise.all(stalled.map(({ ended }) => ended));
    for (const { text } of stalled) expect(text.split('HTTP/1.1 200').length).toBeLessThan(90);
  }, 60_000);

  test(`${IDLE} idle connections`, async () => {
    const calm = await bystander();
    const idle: Client[] = [];
    // They speak once, in time, and then no more.
    while (idle.length < IDLE) idle.push(...(await clients(Math.min(200, IDLE - idle.length), node, get('/healthz'))));
    await expect.poll(() => idle.every(({ text }) => text.includes('200 OK')), { timeout: 30_000 }).toBe(true);
    const busy = await bystander();
    expect(busy).toBeLessThan(calm * 20 + 100);
    // Nobody was hung up on for being idle a short while: each still has its turn.
    for (const one of idle) {
      one.text = '';
      one.socket.write(get('/healthz'));
    }
    await expect.poll(() => idle.every(({ text }) => text.includes('200 OK')), { timeout: 30_000 }).toBe(true);
    for (const { socket } of idle) socket.destroy();
    console.info(
      `${IDLE} idle: an ordinary request took ${calm.toFixed(1)} ms before and ${busy.toFixed(1)} ms beside them`,
    );
  });
});

describe('odd clients', () => {
  test('requests sent all at once are answered in their order', async () => {
    const eager = await client();
    const ids = Array.from({ length: 50 }, (_, index) => `r-${index}`);
    eager.socket.write(ids.map((id) => get('/api/v1/credentials', `X-Request-Id: ${id}\r\n`)).join(''));
    const found = () => [...eager.text.matchAll(/x-request-id: (\S+)/gi)].map(([, id]) => id);
    await expect.poll(() => found().length, { timeout: 10_000 }).toBe(ids.length);
    expect(found()).toEqual(ids);
    eager.socket.destroy();
  });

  test.each([
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, '431', 'headers_too_large'],
    ['what is not HTTP', 'nonsense\r\n\r\n', '400', 'malformed_request'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      '400',
      'malformed_request',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
      'malformed_request',
    ],
    ['a header with NUL', 'GET / HTTP/1.1\r\nHost: x\r\na: b\0c\r\n\r\n', '400', 'malformed_request'],
    ['a bare line feed in a header', 'GET / HTTP/1.1\r\nHost: x\r\na: b\n c\r\n\r\n', '400', 'malformed_request'],
    [
      'a size of chunk that is none',
      'POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      '40',
      'requestId',
    ],
  ])('%s: a problem document, and the end', async (_name, text, status, code) => {
    const odd = await client();
    odd.socket.write(text);
    await odd.ended;
    expect(odd.text).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
    expect(odd.text).toContain('application/problem+json');
    expect(odd.text).toContain(code);
    expect((await call(node, apiKey, 'GET', '/api/v1/credentials')).status).toBe(200);
  });
});
