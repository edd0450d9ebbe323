import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { migratedDatabase } from '../packages/server/test/database.ts';
import { call, envOf, json, serve } from './processes.ts';

/** The long form: IDLE_CONNECTIONS=10000 npm test -- e2e/slow-clients (needs `ulimit -n` above twice that). */
const IDLE = Number(process.env.IDLE_CONNECTIONS ?? 500);
/** For a whole request; a third of it for the headers, three times it for an idle connection. */
const REQUEST_MS = 3000;
const SLACK_MS = 15_000;

const testDb = await migratedDatabase();
const env = envOf(testDb, { RATE_LIMIT_PER_MINUTE: '0' });
const { apiKey } = await json<{ apiKey: string }>(env, ['demo']);
const node = await serve(env);
/** Short timeouts, so that the tests are fast. */
const shortTimeouts = await serve({ ...env, REQUEST_TIMEOUT: `${REQUEST_MS / 1000}s` });
const open = new Set<Socket>();
afterAll(async () => {
  for (const socket of open) socket.destroy();
  await Promise.all([node.stop(), shortTimeouts.stop()]);
  await testDb.drop();
});

const get = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n${more}\r\n`;

interface Client {
  socket: Socket;
  text: string;
  /** When the server closed the connection. */
  ended: Promise<number>;
  /** Before connecting: the server's timeouts cannot start earlier. */
  startedAt: number;
}

function client(to = node, greeting = ''): Promise<Client> {
  return new Promise((resolve, reject) => {
    const startedAt = Date.now();
    const socket = connect(Number(new URL(to.url).port), '127.0.0.1');
    open.add(socket);
    const ended = new Promise<number>((done) => socket.on('close', () => done(Date.now())));
    const client: Client = { socket, text: '', ended, startedAt };
    socket.on('data', (data) => {
      client.text += data;
    });
    socket.on('error', reject);
    socket.on('connect', () => {
      if (greeting) socket.write(greeting);
      resolve(client);
    });
    socket.on('close', () => open.delete(socket));
  });
}

const clients = (count: number, to = node, greeting?: string) =>
  Promise.all(Array.from({ length: count }, () => client(to, greeting)));

/** Writes a byte at intervals until the connection is closed. */
async function sendSlowly({ socket }: Client, text: string) {
  for (let index = 0; socket.writable; index = (index + 1) % text.length) {
    socket.write(text[index] as string);
    await sleep(100);
  }
}

/** Median response time of an ordinary client. */
async function medianLatency(to = node, count = 60) {
  const waits: number[] = [];
  for (let index = 0; index < count; index++) {
    const started = performance.now();
    const { status } = await call(to, apiKey, 'GET', '/api/v1/orders?limit=10');
    expect(status).toBe(200);
    waits.push(performance.now() - started);
  }
  return waits.sort((a, b) => a - b)[count >> 1] as number;
}

/** Open connections on the server, without the one that asks; a client that does not read does not notice a close. */
async function otherSockets() {
  const text = await (await fetch(`${shortTimeouts.url}/metrics`, { headers: { connection: 'close' } })).text();
  return Number(/^store_sales_http_connections (\d+)/m.exec(text)?.[1]) - 1;
}

/** All connections must be closed between these times, with this response. */
async function expectDisconnected(many: Client[], after: number, status: string) {
  const waitingSince = Date.now();
  const ends = await Promise.all(many.map(({ ended }) => ended));
  for (const [index, end] of ends.entries()) {
    expect(end - (many[index] as Client).startedAt).toBeGreaterThanOrEqual(after - 100);
    expect(end - waitingSince).toBeLessThan(after + SLACK_MS);
  }
  for (const { text } of many) expect(text).toContain(status);
}

describe('slow clients are disconnected in time, and others are served meanwhile', () => {
  test('endless headers, slow bodies, and silent connections', async () => {
    const calm = await medianLatency(shortTimeouts);
    const [slowHeaders, silent, slowBodies] = await Promise.all([
      clients(100, shortTimeouts),
      clients(100, shortTimeouts),
      clients(50, shortTimeouts),
    ]);
    for (const one of slowHeaders) {
      one.socket.write('GET /api/v1/orders HTTP/1.1\r\nHost: x\r\n');
      void sendSlowly(one, 'x-a: b\r\n');
    }
    for (const one of slowBodies) {
      one.socket.write(
        `POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{`,
      );
      void sendSlowly(one, ' ');
    }
    const [busy] = await Promise.all([
      medianLatency(shortTimeouts),
      expectDisconnected(slowHeaders, REQUEST_MS / 3, '"code":"request_timeout"'),
      expectDisconnected(silent, REQUEST_MS / 3, 'HTTP/1.1 408 Request Timeout'),
      expectDisconnected(slowBodies, REQUEST_MS, 'HTTP/1.1 408'),
    ]);
    expect(busy).toBeLessThan(calm * 20 + 100);
  });

  test('clients that do not read their responses', async () => {
    const stalled = await clients(5, shortTimeouts);
    for (const { socket } of stalled) {
      socket.pause();
      // Far more than the socket buffers hold, and in total less than the request limit.
      for (let count = 0; count < 90; count++) socket.write(get('/api/v1/orders?limit=100&with=items'));
    }
    await medianLatency(shortTimeouts);
    expect(await otherSockets()).toBeGreaterThanOrEqual(5);
    await expect.poll(otherSockets, { timeout: REQUEST_MS * 3 + SLACK_MS, interval: 500 }).toBe(0);
    for (const { socket } of stalled) socket.resume();
    await Promise.all(stalled.map(({ ended }) => ended));
    for (const { text } of stalled) expect(text.split('HTTP/1.1 200').length).toBeLessThan(90);
  }, 60_000);

  test(`${IDLE} idle connections`, async () => {
    const calm = await medianLatency();
    const idle: Client[] = [];
    // Each sends one request in time, then nothing.
    while (idle.length < IDLE) idle.push(...(await clients(Math.min(200, IDLE - idle.length), node, get('/healthz'))));
    await expect.poll(() => idle.every(({ text }) => text.includes('200 OK')), { timeout: 30_000 }).toBe(true);
    const busy = await medianLatency();
    expect(busy).toBeLessThan(calm * 20 + 100);
    // A short idle time does not close the connections: each can send another request.
    for (const one of idle) {
      one.text = '';
      one.socket.write(get('/healthz'));
    }
    await expect.poll(() => idle.every(({ text }) => text.includes('200 OK')), { timeout: 30_000 }).toBe(true);
    for (const { socket } of idle) socket.destroy();
    console.info(
      `${IDLE} idle: an ordinary request took ${calm.toFixed(1)} ms before and ${busy.toFixed(1)} ms with them`,
    );
  });
});

describe('unusual clients', () => {
  test('pipelined requests get their responses in order', async () => {
    const pipelining = await client();
    const ids = Array.from({ length: 50 }, (_, index) => `r-${index}`);
    pipelining.socket.write(ids.map((id) => get('/api/v1/credentials', `X-Request-Id: ${id}\r\n`)).join(''));
    const found = () => [...pipelining.text.matchAll(/x-request-id: (\S+)/gi)].map(([, id]) => id);
    await expect.poll(() => found().length, { timeout: 60_000 }).toBe(ids.length);
    expect(found()).toEqual(ids);
    pipelining.socket.destroy();
  });

  test.each([
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`, '431', 'headers_too_large'],
    ['a request that is not HTTP', 'nonsense\r\n\r\n', '400', 'malformed_request'],
    [
      'two Content-Length headers',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      '400',
      'malformed_request',
    ],
    [
      'Content-Length with chunked encoding',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
      'malformed_request',
    ],
    ['a header with NUL', 'GET / HTTP/1.1\r\nHost: x\r\na: b\0c\r\n\r\n', '400', 'malformed_request'],
    ['a bare line feed in a header', 'GET / HTTP/1.1\r\nHost: x\r\na: b\n c\r\n\r\n', '400', 'malformed_request'],
    [
      'an invalid chunk size',
      'POST /api/v1/orders HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      '40',
      'requestId',
    ],
  ])('%s: a problem document, then the connection is closed', async (_name, text, status, code) => {
    const invalid = await client();
    invalid.socket.write(text);
    await invalid.ended;
    expect(invalid.text).toMatch(new RegExp(`^HTTP/1.1 ${status}`));
    expect(invalid.text).toContain('application/problem+json');
    expect(invalid.text).toContain(code);
    expect((await call(node, apiKey, 'GET', '/api/v1/credentials')).status).toBe(200);
  });
});
