import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { type Browser, browser } from '../../test/browser.ts';
import { addProduct } from '../../test/catalog.ts';
import { cleanUpAfter } from '../../test/cleanup.ts';
import { testDatabase } from '../../test/database.ts';
import { signedInMember } from '../../test/member.ts';
import { solid } from '../../test/pictures.ts';
import { type Reads, startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { findStore } from '../accounts/stores.ts';
import { system } from '../actor.ts';
import { type Kind, storeLimits } from '../http/store-limit.ts';
import { type KeyView, listKeys, revokeKey } from '../keys/keys.ts';
import { addMember, changeTeam } from './members.ts';

const database = await testDatabase();
cleanUpAfter(() => database.drop());
const hooks: Reads = {};
const service = await startService({ database, reads: hooks });
/** Another node, on which people are removed. */
const other = await startService({ database });

/** A store with a manager, and what the owner does to them on the other node. */
async function team() {
  const { owner, path, storeId } = await signedInOwner(service);
  const { account, visitor } = await signedInMember(service, storeId, 'manager');
  const owners = browser(other);
  await owners.signIn(owner.email);
  const ends = {
    removed: () => owners.delete(`${path}/members/${account.id}`),
    demoted: () => owners.patch(`${path}/members/${account.id}`, { role: 'integrator' }),
    'signed out': () => visitor.delete('/sessions'),
  };
  return { path, storeId, visitor, account, owners, ends };
}

/** A request of the browser that is sent and read piece by piece. */
function begin({ jar }: Browser, method: string, path: string, headers: Record<string, string> = {}) {
  const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
  const sent = request(`${service.url}/console/api${path}`, {
    method,
    headers: { origin: service.url, cookie, ...headers },
  });
  cleanUpAfter(() => void sent.destroy());
  return sent;
}

async function responseOf(sent: ClientRequest) {
  sent.on('error', () => {});
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

/** The rest of a response, and whether it was complete. */
async function readAll(response: IncomingMessage) {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk) => {
    text += chunk;
  });
  response.on('error', () => {});
  if (!response.closed) await new Promise((resolve) => response.once('close', resolve));
  return { text, isComplete: response.complete };
}

const csv = { 'content-type': 'text/csv' };

describe.each(['removed', 'signed out'] as const)('someone who is %s', (how) => {
  test('gets no more of an export under way', async () => {
    const { path, storeId, visitor, owners, ends } = await team();
    await addProduct(service, storeId, { sku: 'A' });
    const items = Array.from({ length: 100 }, () => ({ sku: 'A', quantity: 1 }));
    // More than what the connection buffers: the notes are in every row.
    const order = { items, notes: 'n'.repeat(5000) };
    for (let count = 0; count < 40; count++) expect((await owners.post(`${path}/orders`, order)).status).toBe(201);
    const sent = begin(visitor, 'GET', `${path}/orders/export?rows=items&order=createdAt:asc`);
    sent.end();
    const response = await responseOf(sent);
    expect(response.statusCode).toBe(200);
    await ends[how]();
    expect((await owners.post(`${path}/orders`, { items, notes: 'made after the end' })).status).toBe(201);
    const { text, isComplete } = await readAll(response);
    expect(isComplete).toBe(false);
    expect(text).not.toContain('made after the end');
    expect(text.length).toBeLessThan(40 * 100 * 5000);
  });

  test('has an upload under way that is not carried out', async () => {
    const { path, visitor, owners, ends } = await team();
    await owners.post(`${path}/products`, { sku: 'A', name: 'Tea', price: 10_000 });
    const sent = begin(visitor, 'POST', `${path}/products/import`, { ...csv, expect: '100-continue' });
    sent.flushHeaders();
    await once(sent, 'continue');
    sent.write('sku,price\n');
    await ends[how]();
    sent.end('A,1\n');
    expect((await responseOf(sent)).statusCode).toBe(401);
    expect((await owners.get(`${path}/products`)).body.data[0].price).toBe(10_000);
  });

  test('has a picture under way that is not stored', async () => {
    const { path, visitor, storeId, owners, ends } = await team();
    const productId = await addProduct(service, storeId);
    const pictures = `${path}/products/${productId}/pictures`;
    // After it was decoded.
    hooks.beforeTransaction = async () => {
      hooks.beforeTransaction = undefined;
      await ends[how]();
    };
    const sent = begin(visitor, 'POST', pictures, { 'content-type': 'image/png' });
    sent.end(await solid().png().toBuffer());
    expect((await responseOf(sent)).statusCode).toBeGreaterThan(400);
    expect((await owners.get(pictures)).body).toEqual([]);
  });

  test('has an import under way that stops before its next transaction', async () => {
    const { path, visitor, owners, ends } = await team();
    const rows = Array.from({ length: 2000 }, (_, index) => `S${index},Tea,1`);
    let transactions = 0;
    hooks.beforeTransaction = async () => {
      if (++transactions === 2) await ends[how]();
    };
    const sent = begin(visitor, 'POST', `${path}/products/import`, csv);
    sent.end(['sku,name,price', ...rows].join('\n'));
    const { text } = await readAll(await responseOf(sent));
    hooks.beforeTransaction = undefined;
    expect(text).not.toContain('"report"');
    expect((await owners.get(`${path}/categories/counts`)).status).toBe(200);
    expect((await owners.get(`${path}/orders/products?q=S499`)).body).toHaveLength(1);
    expect((await owners.get(`${path}/orders/products?q=S500`)).body).toHaveLength(0);
  });

  test('has a stream of changes that ends at once', async () => {
    const { path, visitor, ends } = await team();
    const sent = begin(visitor, 'GET', `${path}/changes`);
    sent.end();
    const response = await responseOf(sent);
    const start = performance.now();
    await ends[how]();
    await readAll(response);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe('a request that waits for others', () => {
  /** The service with all slots of a kind taken: returns what waits for one, and what frees them. */
  function busy(kind: Kind, tenantId: string) {
    const limit = storeLimits(service.db.dialect.engine, { checkAfterMs: 0 });
    let [waiting, free] = [0, () => {}];
    const isFree = new Promise<void>((resolve) => {
      free = resolve;
    });
    for (let count = 0; count < 2; count++) void limit(kind, tenantId, () => isFree);
    service.services.limit = (...call) => {
      waiting++;
      return limit(...call);
    };
    return { free, isWaiting: () => expect.poll(() => waiting).toBeGreaterThan(0) };
  }

  test.each(['removed', 'signed out', 'demoted'] as const)('of someone who is %s changes nothing', async (how) => {
    const { path, storeId, visitor, owners, ends } = await team();
    const { owner_id: ownerId } = await findStore(service.db, storeId);
    const { free, isWaiting } = busy('consoleWrite', ownerId);
    const late = visitor.post(`${path}/products`, { sku: 'LATE', name: 'Tea', price: 1 });
    await isWaiting();
    await ends[how]();
    free();
    expect((await late).status).toBe(how === 'demoted' ? 403 : 401);
    expect((await owners.get(`${path}/products`)).body.data).toEqual([]);
  });

  test('with a key that is revoked changes nothing', async () => {
    const { storeId, key } = await service.shop();
    const { free, isWaiting } = busy('referenceWrite', storeId);
    const late = service.post('/api/v1/references/warehouses', { name: 'Late' }, key);
    await isWaiting();
    const [{ id }] = (await listKeys(other.db, storeId)) as [KeyView];
    await revokeKey(other.db, id, other.clock.now);
    free();
    expect((await late).body.code).toBe('invalid_key');
    const { body } = await service.get('/api/v1/references/warehouses', await service.key(storeId));
    expect(body.data).toEqual([]);
  });
});

test('a key is not made by someone who is removed while the request runs', async () => {
  const { path, storeId, owners } = await team();
  const { account, visitor } = await signedInMember(service, storeId, 'integrator');
  hooks.beforeTransaction = async () => {
    hooks.beforeTransaction = undefined;
    await owners.delete(`${path}/members/${account.id}`);
  };
  const made = await visitor.post(`${path}/keys`, { name: 'Late', rights: ['orders:read'], life: '5y' });
  expect(made.status).toBe(401);
  expect((await owners.get(`${path}/keys`)).body).toEqual([]);
});

test('an import stops when its person may not import any more', async () => {
  const { path, visitor, owners, ends } = await team();
  await owners.post(`${path}/products`, { sku: 'A', name: 'Tea', price: 10_000 });
  hooks.beforeTransaction = async () => {
    hooks.beforeTransaction = undefined;
    await ends.demoted();
  };
  const sent = begin(visitor, 'POST', `${path}/products/import`, csv);
  sent.end('sku,price\nA,1\n');
  await readAll(await responseOf(sent));
  expect((await owners.get(`${path}/products`)).body.data[0].price).toBe(10_000);
});

test('a stream goes on for those who are still there', async () => {
  const { path, storeId, visitor, owners } = await team();
  const leaving = await signedInMember(service, storeId, 'viewer');
  const sent = begin(visitor, 'GET', `${path}/changes`);
  sent.end();
  const response = await responseOf(sent);
  let hasEnded = false;
  response.on('end', () => {
    hasEnded = true;
  });
  const gone = begin(leaving.visitor, 'GET', `${path}/changes`);
  gone.end();
  const ended = await responseOf(gone);
  await owners.delete(`${path}/members/${leaving.account.id}`);
  await readAll(ended);
  response.resume();
  await owners.post(`${path}/products`, { sku: 'A', name: 'Tea', price: 1 });
  await once(response, 'data');
  expect(hasEnded).toBe(false);
});

describe('invitations', () => {
  const tokenOf = ({ body }: { body: { link: string } }) => body.link.split('#')[1] as string;
  const opened = async (token: string) => (await browser(service).post('/invitation', { token })).status;

  /** A second owner who has invited somebody. */
  async function inviter() {
    const { path, storeId, owners } = await team();
    const { account, visitor } = await signedInMember(service, storeId, 'owner');
    const sent = await visitor.post(`${path}/invitations`, { email: `guest@${account.id}.test`, role: 'owner' });
    expect(await opened(tokenOf(sent))).toBe(200);
    return { path, storeId, owners, account, visitor, token: tokenOf(sent) };
  }

  test('of an owner who is removed let nobody in', async () => {
    const { path, owners, account, token } = await inviter();
    const { body } = await owners.delete(`${path}/members/${account.id}`);
    expect(body.invitations).toEqual([]);
    expect(await opened(token)).toBe(404);
  });

  test('of an owner who is made a manager, or leaves, let nobody in', async () => {
    const demoted = await inviter();
    await demoted.owners.patch(`${demoted.path}/members/${demoted.account.id}`, { role: 'manager' });
    expect(await opened(demoted.token)).toBe(404);
    const leaving = await inviter();
    await leaving.visitor.delete(`${leaving.path}/membership`);
    expect(await opened(leaving.token)).toBe(404);
  });

  test('of other owners stay', async () => {
    const { path, owners, account } = await inviter();
    const sent = await owners.post(`${path}/invitations`, { email: `other@${account.id}.test`, role: 'viewer' });
    await owners.delete(`${path}/members/${account.id}`);
    expect(await opened(tokenOf(sent))).toBe(200);
  });

  test('that a removed member was sent before do not let them in again', async () => {
    const { path, storeId, owners } = await team();
    const account = await service.owner();
    const token = tokenOf(await owners.post(`${path}/invitations`, { email: account.email, role: 'manager' }));
    // Added in another way, as the command line does.
    const edit = { storeId, actor: system, now: service.clock.now };
    await changeTeam(service.db, storeId, (tx) => addMember(tx, account, 'viewer', edit));
    await owners.delete(`${path}/members/${account.id}`);
    const visitor = browser(service);
    await visitor.signIn(account.email);
    expect((await visitor.post('/invitation/accept', { token })).status).toBe(404);
    expect((await visitor.get(`${path}/orders`)).status).toBe(404);
  });

  test('are not sent by an owner who is removed while the request runs', async () => {
    const { path, account, visitor, owners } = await inviter();
    hooks.beforeTransaction = async () => {
      hooks.beforeTransaction = undefined;
      await owners.delete(`${path}/members/${account.id}`);
    };
    const { status } = await visitor.post(`${path}/invitations`, { email: 'late@example.test', role: 'owner' });
    expect(status).toBe(403);
    expect((await owners.get(`${path}/members`)).body.invitations).toEqual([]);
  });
});

test('the list of keys names who made each, also after their removal', async () => {
  const { path, storeId, owners } = await team();
  const { account, visitor } = await signedInMember(service, storeId, 'integrator');
  await service.key(storeId);
  service.clock.now += 1000;
  const made = await visitor.post(`${path}/keys`, { name: 'Mine', rights: ['orders:read'], life: '90d' });
  expect(made.body.key.createdBy).toEqual({ id: account.id, name: account.name });
  await owners.delete(`${path}/members/${account.id}`);
  const { body: keys } = await owners.get(`${path}/keys`);
  expect(keys.map(({ createdBy }: { createdBy: unknown }) => createdBy)).toEqual([
    { id: account.id, name: account.name },
    null,
  ]);
});
