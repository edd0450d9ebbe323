import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../../packages/server/test/database.ts';
import { call, envOf, serve, shop } from '../processes.ts';

/**
 * One owner imports files that are expensive to parse; another store's requests must be served meanwhile. The event loop
 * is blocked for at most 50 ms. The limit here allows for a busy machine, where everything takes longer: a response may
 * take a second, or a quarter of the import.
 */
const isLong = process.env.ATTACK === 'long';
const ROWS = isLong ? 200_000 : 60_000;
const limitMs = (importMs: number) => Math.max(1000, importMs / 4);

const testDb = await testDatabase();
const env = envOf(testDb);
const node = await serve(env);
const [attacker, victim] = [await shop(env), await shop(env)];
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

const file = (header: string, row: (index: number) => string, rows = ROWS) =>
  `${header}\n${Array.from({ length: rows }, (_, index) => row(index)).join('\n')}`;
const tree = 'externalId,name,parentExternalId';

/** The file, and the expected numbers of new and rejected records. */
const bombs: Record<string, [kind: string, content: () => string, created: number, rejected: number]> = {
  'a ring': ['categories', () => file(tree, (i) => `c${i},C,c${(i + 1) % ROWS}`), 0, ROWS],
  'a ring within the limit': ['categories', () => file(tree, (i) => `c${i},C,c${(i + 1) % 9000}`, 9000), 0, 9000],
  'a chain': ['categories', () => file(tree, (i) => `c${i},C,${i ? `c${i - 1}` : ''}`), 10_000, ROWS - 10_000],
  'one category': ['categories', () => file(tree, (i) => `a,C${i},${i ? 'a' : ''}`), 1, ROWS - 1],
  'a shared phone': ['customers', () => file('externalId,name,phone', (i) => `c${i},C,+7 900 000-00-00`), ROWS, 0],
  'a category of all products': [
    'products',
    () => file('sku,name,price,categoryExternalId', (i) => `s${i},P,1,none`),
    0,
    ROWS,
  ],
  'empty lines': ['products', () => `sku,name,price\n${'\n'.repeat(5_000_000)}A,P,1`, 1, 0],
  delimiters: ['products', () => `sku,name,price\n${`${','.repeat(60_000)}\n`.repeat(100)}`, 0, 100],
};

/** Sends requests until stopped; records the slowest response. */
function watch(ask: () => Promise<{ status: number }>) {
  let isDone = false;
  const figures = { slowest: 0, count: 0 };
  const ended = (async () => {
    while (!isDone) {
      const start = performance.now();
      const { status } = await ask();
      figures.slowest = Math.max(figures.slowest, performance.now() - start);
      figures.count++;
      expect(status).toBe(200);
    }
  })();
  return async () => {
    isDone = true;
    await ended;
    return figures;
  };
}

async function preview(kind: string, content: string) {
  const response = await fetch(`${node.url}/console/api/stores/${attacker.storeId}/${kind}/import?preview=true`, {
    method: 'POST',
    headers: { 'content-type': 'text/csv', origin: node.url, cookie: cookie.join('; ') },
    body: content,
  });
  const lines = (await response.text()).trim().split('\n');
  return JSON.parse(lines.at(-1) as string);
}

test.each(Object.entries(bombs))('%s', async (name, [kind, content, created, rejected]) => {
  const body = content();
  const stops = [
    watch(() => fetch(`${node.url}/healthz`)),
    watch(() => call(node, victim.key, 'GET', '/api/v1/orders')),
  ];
  const start = performance.now();
  const { report } = await preview(kind, body);
  const tookMs = performance.now() - start;
  const [health, orders] = await Promise.all(stops.map((stop) => stop()));
  const slowest = Math.max(health?.slowest ?? 0, orders?.slowest ?? 0);
  console.log(
    `${name}: ${(body.length / 1e6).toFixed(1)} MB previewed in ${(tookMs / 1000).toFixed(1)} s; others' slowest response ${slowest.toFixed(0)} ms of ${(health?.count ?? 0) + (orders?.count ?? 0)}`,
  );
  expect(report).toMatchObject({ created, rejectedCount: rejected });
  expect(report.rejected.length).toBeLessThanOrEqual(1000);
  expect(slowest).toBeLessThan(limitMs(tookMs));
});

test('concurrent imports of the attacker are limited', async () => {
  const body = file(tree, (i) => `c${i},C,c${(i + 1) % ROWS}`);
  const stop = watch(() => call(node, victim.key, 'GET', '/api/v1/orders'));
  const start = performance.now();
  const results = await Promise.all(Array.from({ length: 10 }, () => preview('categories', body)));
  const tookMs = performance.now() - start;
  const { slowest } = await stop();
  const accepted = results.filter(({ report }) => report).length;
  console.log(`10 previews at once: ${accepted} accepted; others' slowest response ${slowest.toFixed(0)} ms`);
  expect(accepted).toBeGreaterThan(0);
  for (const result of results) if (!result.report) expect(result.code).toBe('too_many_imports');
  expect(slowest).toBeLessThan(limitMs(tookMs));
});
