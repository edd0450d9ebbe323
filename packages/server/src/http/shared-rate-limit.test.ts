import { describe, expect, test } from 'vitest';
import { cleanUpAfter } from '../../test/cleanup.ts';
import { testDatabase } from '../../test/database.ts';
import { proxy } from '../../test/proxy.ts';
import { hasRedis, startRedis } from '../../test/redis.ts';
import { type Service, startService } from '../../test/service.ts';
import { MINUTE } from '../time/duration.ts';

const PATH = '/api/v1/credentials';

/** Nodes that share a database and, through a proxy, a Redis. */
async function cluster(count: number, limit: number, timeout = '60s') {
  const [database, redis] = [await testDatabase(), await startRedis()];
  cleanUpAfter(() => Promise.all([database.drop(), redis.stop()]));
  let isUp = true;
  const between = await proxy(() => (isUp ? { host: '127.0.0.1', port: redis.port } : undefined));
  cleanUpAfter(between.close);
  const env = {
    REDIS_URL: `redis://127.0.0.1:${between.port}`,
    RATE_LIMIT_PER_MINUTE: String(limit),
    REDIS_TIMEOUT: timeout,
  };
  const nodes: Service[] = [];
  for (let node = 0; node < count; node++) nodes.push(await startService({ env, database }));
  const reachable = async (node: Service, value: number) =>
    expect
      .poll(async () => (await node.get('/metrics')).text, { timeout: 30_000 })
      .toContain(`\nstore_sales_redis_reachable ${value}\n`);
  for (const node of nodes) await reachable(node, 1);
  const [first] = nodes as [Service];
  const setUp = (up: boolean) => {
    isUp = up;
    if (!up) between.cut();
  };
  return { nodes, first, between, setUp, reachable, key: (await first.shop()).key, other: (await first.shop()).key };
}

/** How many of these requests are admitted. */
async function admitted(node: Service, key: string, requests: number): Promise<number> {
  let count = 0;
  for (let sent = 0; sent < requests; sent += 20) {
    const responses = await Promise.all(Array.from({ length: 20 }, () => node.get(PATH, key)));
    count += responses.filter(({ status }) => status === 200).length;
  }
  return count;
}

describe.runIf(hasRedis)('rate limits over all nodes', () => {
  test('three nodes together admit the limit, within one percent and never more', async () => {
    const { nodes, first, key, other } = await cluster(3, 2000);
    const counts = await Promise.all(nodes.map((node) => admitted(node, key, 800)));
    const total = counts.reduce((sum, count) => sum + count, 0);
    expect(total).toBeLessThanOrEqual(2000);
    expect(total).toBeGreaterThanOrEqual(1980);
    const rejected = await first.get(PATH, key);
    expect([rejected.status, rejected.body.code]).toEqual([429, 'rate_limited']);
    expect(rejected.headers.get('ratelimit-remaining')).toBe('0');
    expect((await first.get(PATH, other)).headers.get('ratelimit-remaining')).toBe('1999');
    for (const node of nodes) node.clock.now += MINUTE;
    expect((await first.get(PATH, key)).headers.get('ratelimit-remaining')).toBe('1999');
  });

  test('a small limit is exact', async () => {
    const { nodes, key } = await cluster(2, 30);
    const counts = await Promise.all(nodes.map((node) => admitted(node, key, 40)));
    expect((counts[0] as number) + (counts[1] as number)).toBe(30);
  });

  test('without Redis each node counts alone, and together again when it is back', async () => {
    const { nodes, first, setUp, reachable, key } = await cluster(2, 20);
    setUp(false);
    for (const node of nodes) await reachable(node, 0);
    expect(await Promise.all(nodes.map((node) => admitted(node, key, 40)))).toEqual([20, 20]);
    expect(first.lines.join()).toContain('Redis cannot be reached');
    setUp(true);
    for (const node of nodes) {
      await reachable(node, 1);
      node.clock.now += MINUTE;
    }
    const counts = await Promise.all(nodes.map((node) => admitted(node, key, 40)));
    expect((counts[0] as number) + (counts[1] as number)).toBe(20);
  });

  test('a Redis that does not respond delays one request, and the node counts alone', async () => {
    const { first, between, key, other } = await cluster(1, 20, '1s');
    between.dropNewPackets();
    expect([await admitted(first, key, 40), await admitted(first, other, 40)]).toEqual([20, 20]);
  });
});

test('a service whose Redis cannot be reached serves', async () => {
  const service = await startService({ env: { REDIS_URL: 'redis://127.0.0.1:1', RATE_LIMIT_PER_MINUTE: '20' } });
  expect(await admitted(service, (await service.shop()).key, 40)).toBe(20);
  expect((await service.get('/metrics')).text).toContain('\nstore_sales_redis_reachable 0\n');
});
