import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../packages/server/test/database.ts';
import { envOf, serve } from './processes.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const [alerts, dashboard] = ['deploy/prometheus/alerts.yml', 'deploy/grafana/store-sales.json'];

const testDb = await testDatabase();
afterAll(() => testDb.drop());

test.each([alerts, dashboard])('%s names only metrics that the service has', async (path) => {
  const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'shop@example.com' };
  const node = await serve(envOf(testDb, { REDIS_URL: 'redis://127.0.0.1:1', ...mail }));
  const metrics = await (await fetch(`${node.url}/metrics`)).text();
  await node.stop();
  const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const named = [...new Set(read(path).match(/store_sales_\w+/g))];
  const base = (name: string) => name.replace(/_(bucket|count|sum)$/, '');
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !known.has(name) && !known.has(base(name)))).toEqual([]);
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
test.runIf(hasPromtool)('the alert rules are valid', () => {
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', alerts as string], { encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([0, expect.stringContaining('SUCCESS'), '']);
});

test('the health check of the image uses PORT, and the image has all that the program imports', () => {
  const image = read('Dockerfile');
  expect(image).toMatch(/HEALTHCHECK .*process\.env\.PORT/);
  for (const path of [
    'packages/server/bin',
    'packages/server/browser',
    'packages/server/program',
    'packages/server/package.json',
    'packages/console/dist',
  ])
    expect(image).toContain(`COPY --from=build /app/${path} `);
});
