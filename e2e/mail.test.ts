import { openDatabase } from '@store-sales/server/db/open';
import { sql } from '@store-sales/server/db/sql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasOpenssl } from '../packages/server/test/certificates.ts';
import { migratedDatabase } from '../packages/server/test/database.ts';
import { type MailServer, openMailServer } from '../packages/server/test/mail-server.ts';
import { dispatch, type Env, envOf, json, type Node, serve, shop, storeSales } from './processes.ts';

describe.runIf(hasOpenssl)('mail, with real processes', async () => {
  const testDb = await migratedDatabase();
  let server: MailServer;
  let env: Env;
  let node: Node;
  let db: ReturnType<typeof openDatabase>;
  let email: string;
  let storeId: string;
  let cookie: string;

  const post = (path: string, body: unknown) =>
    fetch(`${node.url}/console/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: node.url, cookie },
      body: JSON.stringify(body),
    });
  const invite = async (address: string, role = 'viewer') =>
    (await post(`/stores/${storeId}/invitations`, { email: address, role })).status;
  const arrived = (address: string, count = 1) =>
    expect.poll(() => server.to(address).length, { timeout: 15_000 }).toBe(count);
  /** As if an hour had passed. */
  const passTime = () => db.run(sql`update mails set next_attempt_at = 1 where state = 'waiting'`);

  beforeAll(async () => {
    server = await openMailServer();
    env = envOf(testDb, { ...server.env, NODE_EXTRA_CA_CERTS: server.caFile, PUBLIC_URL: 'http://localhost:3000' });
    ({ email, storeId } = await shop(env));
    // Serves, but leaves mails to other processes.
    node = await serve({ ...env, PUBLIC_URL: '' }, ['--no-dispatch']);
    db = openDatabase({ databaseUrl: testDb.DATABASE_URL, dataDir: testDb.DATA_DIR });
    cookie = '';
    const signedIn = await post('/session', { email, password: 'correct horse' });
    cookie = signedIn.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
  });
  afterAll(async () => {
    await node?.stop();
    await db?.close();
    await server?.close();
    await testDb.drop();
  });

  test('two dispatchers send each mail once, and nothing for a refused change', async () => {
    const dispatchers = await Promise.all([dispatch(env), dispatch(env)]);
    const addresses = Array.from({ length: 5 }, (_, index) => `once${index}@example.com`);
    for (const address of addresses) expect(await invite(address)).toBe(201);
    expect(await invite(email)).toBe(422);
    for (const address of addresses) await arrived(address);
    await Promise.all(dispatchers.map((each) => each.stop()));
    for (const address of addresses) expect(server.to(address)).toHaveLength(1);
    expect(server.to(email)).toEqual([]);
  });

  test('a dispatcher that is killed between sending and recording sends again with the same Message-ID', async () => {
    let received = () => {};
    const isReceived = new Promise<void>((resolve) => {
      received = resolve;
    });
    // The mail has arrived, but the dispatcher does not hear so.
    server.behavior.beforeConfirm = () => {
      received();
      return new Promise(() => {});
    };
    const killed = await dispatch(env);
    expect(await invite('killed@example.com')).toBe(201);
    await isReceived;
    await killed.kill();
    server.behavior.beforeConfirm = undefined;
    const next = await dispatch(env);
    // Its lease has to expire first.
    await new Promise((resolve) => setTimeout(resolve, 2000));
    expect(server.to('killed@example.com')).toHaveLength(1);
    await passTime();
    await arrived('killed@example.com', 2);
    await next.stop();
    const [first, second] = server.to('killed@example.com');
    expect(second?.messageId).toBe(first?.messageId);
  });

  test('what could not be sent is listed, and sent when the operator retries', async () => {
    server.behavior.rejectRecipient = 550;
    const running = await dispatch(env);
    expect(await invite('dead@example.com')).toBe(201);
    const list = () => json<{ id: string }[]>(env, ['mail', 'list']);
    await expect.poll(async () => (await list()).length, { timeout: 15_000 }).toBe(1);
    const [mail] = await list();
    expect(mail).toMatchObject({ kind: 'invitation', recipient: 'dead@example.com', error: 'smtp_550', storeId });
    server.behavior.rejectRecipient = undefined;
    expect((await storeSales(env, ['mail', 'retry'])).code).toBe(2);
    expect((await storeSales(env, ['mail', 'retry', storeId])).stderr).toContain('There is no failed mail');
    expect(await json(env, ['mail', 'retry', mail?.id as string])).toEqual({ retried: 1 });
    await arrived('dead@example.com');
    expect(await json(env, ['mail', 'retry', '--all'])).toEqual({ retried: 0 });
    await running.stop();
  });

  test('the test command prints what the server said', async () => {
    expect(await json(env, ['mail', 'test', 'anna@example.com'])).toMatchObject({
      isSent: true,
      response: expect.stringMatching(/^250/),
    });
    expect(server.to('anna@example.com')).toMatchObject([{ subject: 'Test mail', isEncrypted: true }]);
    server.behavior.rejectRecipient = 550;
    const refused = await storeSales(env, ['mail', 'test', 'anna@example.com']);
    server.behavior.rejectRecipient = undefined;
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('550');
    const off = await storeSales({ ...env, SMTP_URL: '', MAIL_FROM: '' }, ['mail', 'test', 'anna@example.com']);
    expect(off.stderr).toContain('Mail is off');
  });

  test('a mistake in the settings is explained without the password', async () => {
    const { code, stderr } = await storeSales({ ...env, MAIL_FROM: '' }, ['mail', 'list']);
    expect([code, stderr.trim()]).toEqual([
      1,
      'store-sales: MAIL_FROM is required with SMTP_URL: the address that mails come from',
    ]);
  });
});
