import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../packages/server/test/database.ts';
import { envOf, storeSales } from './processes.ts';

const testDb = await testDatabase();
const env = envOf(testDb);
afterAll(() => testDb.drop());

describe('the command', () => {
  test.each<[string[], number, RegExp]>([
    [['store', 'create', '--owner', 'nobody@example.test', '--name', 'x'], 3, /no owner with the e-mail nobody/],
    [['key', 'create', '--store', 'x', '--name', 'k', '--rights', 'orders:read'], 3, /no store with the id x/],
    [['key', 'revoke', 'x'], 3, /no such key/],
    [['store', 'plan', '00000000-0000-7000-8000-000000000000', 'gold'], 2, /Unknown plan gold; valid plans: /],
    [['webhook', 'log', 'x', '--status', 'lost'], 2, /Unknown status lost; valid statuses: pending, /],
    [['member', 'add', '--store', 'x', '--email', 'a@b.c', '--role', 'boss'], 2, /Unknown role boss; valid roles: /],
    [
      ['key', 'create', '--store', 'x', '--name', 'k', '--rights', 'a:b'],
      2,
      /Unknown right a:b; valid rights: orders:/,
    ],
    [['customer', 'export', 'x'], 3, /no customer with the id x/],
    [['customer', 'erase', '00000000-0000-7000-8000-000000000000'], 3, /no customer with/],
    [['customer', 'erase'], 2, /missing required argument/],
    [['owner', 'create', '--email', 'x', '--name', 'n', '--password-stdin'], 3, /not an e-mail/],
    [['owner', 'create', '--email', 'x@y.z', '--name', 'n'], 2, /--password-stdin/],
    [['nonsense'], 2, /unknown command/],
    [['key', 'create'], 2, /required option/],
    [['webhook', 'resend'], 2, /Pass a delivery id/],
    [
      ['webhook', 'add', '--store', 'x', '--url', 'https://x.example', '--events', 'order.created,order.gone'],
      2,
      /Unknown event order.gone; valid events: order.created, /,
    ],
    [
      ['webhook', 'trigger', 'x', '--event', 'order.gone'],
      2,
      /Unknown event order.gone; valid events: order.created, /,
    ],
  ])('%j ends with one clear line, or JSON with a code', async (args, exitCode, message) => {
    const { code, stderr, stdout } = await storeSales(env, args, 'correct horse');
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/^store-sales: (?!error)/);
    const json = await storeSales(env, [...args, '--json'], 'correct horse');
    expect([json.code, json.stdout]).toEqual([exitCode, '']);
    expect(JSON.parse(json.stderr)).toMatchObject({
      code: exitCode === 2 ? 'usage' : expect.stringMatching(/^(not_found|invalid_body)$/),
      message: expect.stringMatching(message),
    });
  });

  test('every subcommand has help with an example', async () => {
    for (const args of [
      ['serve'],
      ['dispatch'],
      ['migrate'],
      ['demo'],
      ['owner', 'create'],
      ['store', 'create'],
      ['store', 'list'],
      ['key', 'create'],
    ]) {
      const { code, stdout } = await storeSales(env, [...args, '--help']);
      expect([code, stdout]).toEqual([0, expect.stringContaining('Example:')]);
      expect(stdout).toContain('--json');
    }
  });
});

describe('wrong configuration is one clear line and exit 1, a database out of reach exit 4', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['an invalid port', { PORT: 'http' }, /PORT must be a whole number/],
    [
      'an invalid database URL',
      { DATABASE_URL: 'mysql://x', SECRET_KEY: 'x'.repeat(32) },
      /DATABASE_URL must be an address/,
    ],
    [
      'one of several database servers without a host',
      { DATABASE_URL: 'postgres://127.0.0.1:1,:2/x', SECRET_KEY: 'x'.repeat(32) },
      /DATABASE_URL must be an address/,
    ],
    [
      'a standby as database',
      { DATABASE_URL: 'postgres://127.0.0.1:1,127.0.0.1:2/x?target_session_attrs=standby', SECRET_KEY: 'x'.repeat(32) },
      /DATABASE_URL needs a server that accepts writes/,
    ],
    [
      'several unreachable databases',
      { DATABASE_URL: 'postgres://127.0.0.1:1,127.0.0.1:2/x', SECRET_KEY: 'x'.repeat(32) },
      /cannot be reached or used: no server accepts writes: .*127.0.0.1:1; .*127.0.0.1:2/,
    ],
    [
      'no secret with PostgreSQL',
      { DATABASE_URL: 'postgres://127.0.0.1:1/x', SECRET_KEY: '' },
      /SECRET_KEY is required/,
    ],
    ['a short secret', { SECRET_KEY: 'short' }, /SECRET_KEY must be at least/],
    [
      'an unreachable database',
      { DATABASE_URL: 'postgres://127.0.0.1:1/x', SECRET_KEY: 'x'.repeat(32) },
      /database cannot be reached or used/,
    ],
    ['an invalid boolean', { WEBHOOK_ALLOW_INTERNAL: 'yes' }, /must be true or false/],
    ['an invalid list of delays', { WEBHOOK_RETRY_DELAYS: '1m,soon' }, /WEBHOOK_RETRY_DELAYS must be a duration/],
    ['an invalid log level', { LOG_LEVEL: 'loud' }, /LOG_LEVEL must be one of/],
    [
      'a data directory that is a file',
      { DATABASE_URL: '', SECRET_KEY: '', DATA_DIR: join(testDb.DATA_DIR, 'file') },
      /DATA_DIR .* cannot be used/,
    ],
  ])('%s', async (_name, wrong, message) => {
    writeFileSync(join(testDb.DATA_DIR, 'file'), '');
    const { code, stderr, stdout } = await storeSales({ ...env, ...wrong }, ['serve']);
    expect([code, stdout]).toEqual([String(message).includes('reached') ? 4 : 1, '']);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('short');
  });

  test('a port in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const { code, stderr } = await storeSales({ ...env, PORT: String(port) }, ['serve']);
    taken.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining('set PORT to a free one')]);
  });

  test('.env is read, and the environment wins over it', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'store-sales-env-'));
    writeFileSync(join(dir, '.env'), 'PORT=nonsense\n');
    const before = process.cwd();
    const { spawnSync } = await import('node:child_process');
    const program = join(before, 'packages/server/bin/store-sales.js');
    const { PORT: _, ...without } = env;
    const wrong = spawnSync(process.execPath, [program, 'migrate'], { cwd: dir, env: without, encoding: 'utf8' });
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining('PORT must be')]);
    const right = spawnSync(process.execPath, [program, 'migrate'], { cwd: dir, env, encoding: 'utf8' });
    expect(right.status).toBe(0);
  });
});
