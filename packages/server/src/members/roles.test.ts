import { type ConsoleEndpoint, consoleEndpoints, type Role, roles } from '@store-sales/contract/console';
import { describe, expect, test } from 'vitest';
import { browser } from '../../test/browser.ts';
import { signedInMember } from '../../test/member.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { uuid } from '../db/uuid.ts';

const service = await startService({ env: { WEBHOOK_ALLOW_INTERNAL: 'true' } });
const { storeId, path } = await signedInOwner(service);
const stranger = await signedInOwner(service);
const visitors = Object.fromEntries(
  await Promise.all(roles.map(async (role) => [role, (await signedInMember(service, storeId, role)).visitor] as const)),
) as Record<Role, ReturnType<typeof browser>>;

const rows = Object.entries(consoleEndpoints as Record<string, ConsoleEndpoint>).flatMap(([route, { access }]) => {
  const [method = '', template = ''] = route.split(' ');
  return typeof access === 'string' ? [] : [{ route, method, template, access }];
});

/** The ids of records are unknown, so that an admitted call changes nothing. */
const pathIn = (template: string, store: string) =>
  template.replace('{storeId}', store).replace(/\{\w+\}/g, () => uuid(service.clock.now));

describe.each(rows)('$route', ({ route, method, template, access }) => {
  // A stream does not end, and leaving ends the membership: both have tests of their own.
  const isCalled = !['GET /stores/{storeId}/changes', 'DELETE /stores/{storeId}/membership'].includes(route);

  test.each(roles)('%s', async (role) => {
    if (access.includes(role) && !isCalled) return;
    const { status, body } = await visitors[role].send(method, pathIn(template, storeId));
    if (access.includes(role)) expect([status, body?.code]).not.toEqual([403, 'role_required']);
    else expect([status, body.code]).toEqual([403, 'role_required']);
  });

  test('members of other stores and strangers learn nothing', async () => {
    const foreign = await stranger.visitor.send(method, pathIn(template, storeId));
    const unknown = await stranger.visitor.send(method, pathIn(template, uuid(service.clock.now)));
    expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found']);
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' });
    for (const role of roles)
      expect((await visitors[role].send(method, pathIn(template, stranger.storeId))).status).toBe(404);
    expect((await browser(service).send(method, pathIn(template, storeId))).status).toBe(401);
  });
});

test('the table admits what the roles are for', () => {
  const admitted = (role: Role, isWanted: (row: (typeof rows)[number]) => boolean) =>
    rows.filter((row) => row.access.includes(role) && isWanted(row)).map(({ template }) => template.split('/')[3]);
  const changes = ({ method }: { method: string }) => method !== 'GET';
  const areas = (role: Role) => [...new Set(admitted(role, changes))].sort();
  expect(rows.every(({ access }) => access.includes('owner'))).toBe(true);
  expect(areas('viewer')).toEqual(['membership', 'order-mail']);
  expect(areas('integrator')).toEqual(['keys', 'membership', 'order-mail', 'orders', 'webhooks']);
  expect(areas('manager')).toEqual([
    'categories',
    'customers',
    'delivery-types',
    'membership',
    'order-mail',
    'order-statuses',
    'order-views',
    'orders',
    'payment-statuses',
    'payment-types',
    'products',
    'promo-codes',
    'shop',
    'status-mails',
    'warehouses',
  ]);
  // An integrator sees orders; of them they can only send a webhook again.
  expect(admitted('integrator', (row) => changes(row) && row.template.includes('/orders/'))).toHaveLength(1);
});

test('what a role sees has no secret', async () => {
  const owner = visitors.owner;
  await owner.post(`${path}/keys`, { name: 'Site', rights: ['orders:read'], life: '90d' });
  const { body: hook } = await owner.post(`${path}/webhooks`, {
    url: 'http://127.0.0.1:1/hook',
    events: ['order.created'],
  });
  await owner.post(`${path}/invitations`, { email: 'new@example.com', role: 'viewer' });
  for (const each of ['keys', 'webhooks', `webhooks/${hook.id}`, 'members', 'history']) {
    const { status, text } = await visitors.viewer.get(`${path}/${each}`);
    expect(status).toBe(200);
    expect(text).not.toMatch(/whsec_|secret"|token|hash/i);
    expect(text).not.toContain(hook.secret);
  }
});
