import { type ConsoleEndpoint, consoleEndpoints } from '@store-sales/contract/console';
import { expect, test } from 'vitest';
import { type Ability, abilities } from './abilities.ts';

const orderSettings = ['seeOrderSettings', 'changeOrderSettings'] as const;

/** The abilities to read and to change what is below a path; null: every member may. */
const sections: Record<string, readonly [read: Ability | null, change: Ability | null]> = {
  '': [null, 'changeStore'],
  changes: [null, null],
  membership: [null, null],
  'order-mail': [null, null],
  members: ['seeTeam', 'changeTeam'],
  invitations: ['seeTeam', 'changeTeam'],
  'second-factor': ['seeTeam', 'changeTeam'],
  home: ['seeHome', 'seeHome'],
  history: ['seeHistory', 'seeHistory'],
  search: ['search', 'search'],
  shop: ['seeShop', 'changeShop'],
  orders: [null, 'changeOrders'],
  'status-mails': orderSettings,
  seller: [null, 'changeStore'],
  'promo-codes': ['seeCatalog', 'changeCatalog'],
  'order-views': [null, 'changeOrders'],
  products: ['seeCatalog', 'changeCatalog'],
  categories: ['seeCatalog', 'changeCatalog'],
  customers: ['seeCustomers', 'changeCustomers'],
  'order-statuses': orderSettings,
  'payment-statuses': orderSettings,
  'delivery-types': orderSettings,
  'payment-types': orderSettings,
  warehouses: orderSettings,
  keys: ['seeKeys', 'changeKeys'],
  requests: ['seeRequests', 'seeRequests'],
  webhooks: ['seeWebhooks', 'changeWebhooks'],
};

const exceptions: Record<string, Ability> = {
  // For the forms of orders.
  'GET /stores/{storeId}/orders/products': 'changeOrders',
  'GET /stores/{storeId}/orders/promo-code': 'changeOrders',
  'GET /stores/{storeId}/customers/{customerId}/personal-data': 'managePersonalData',
  'DELETE /stores/{storeId}/customers/{customerId}/personal-data': 'managePersonalData',
  'POST /stores/{storeId}/orders/deliveries/{deliveryId}/resend': 'resendDeliveries',
};

const everyone = ['owner', 'manager', 'integrator', 'viewer'];
const rows = Object.entries<ConsoleEndpoint>(consoleEndpoints).filter(([, { access }]) => Array.isArray(access));

test.each(rows)('%s admits the roles that the console shows it to', (route, { access }) => {
  const [method, section = ''] = /^(\w+) \/stores\/\{storeId\}\/?([a-z-]*)/.exec(route)?.slice(1) ?? [];
  const [read, change] = sections[section] ?? [];
  const ability = exceptions[route] ?? (method === 'GET' ? read : change);
  expect(ability).toBeDefined();
  expect([...access]).toEqual(ability ? abilities[ability] : everyone);
});

test('every ability is compared with a row', () => {
  const compared = [...Object.values(sections).flat(), ...Object.values(exceptions)];
  // The page of the store reads only the list of stores.
  expect(new Set(Object.keys(abilities))).toEqual(new Set([...compared.filter((name) => name !== null), 'seeStore']));
});
