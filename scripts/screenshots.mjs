// Takes the screenshots of README and docs/console.md from the demo store: npm run screenshots
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from './chromium.mjs';
import { prepare, root } from './prepare.mjs';

await prepare();
const executablePath = findChromium();
if (!executablePath) throw new Error('No Chromium found; install it or set CHROMIUM_PATH.');

const out = join(root, 'docs/images');
mkdirSync(out, { recursive: true });
const dataDir = mkdtempSync(join(tmpdir(), 'store-sales-screenshots-'));
const program = join(root, 'packages/server/bin/store-sales.js');
const env = {
  PATH: process.env.PATH,
  DATA_DIR: dataDir,
  PORT: '0',
  LOG_LEVEL: 'silent',
  WEBHOOK_ALLOW_INTERNAL: 'true',
};
const command = (...args) =>
  JSON.parse(execFileSync(process.execPath, [program, ...args, '--json'], { env }).toString());

const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.end('{"received":true}'));
});
await new Promise((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const demo = command('demo');
const events = 'order.created,order.status_changed,order.payment_status_changed';
const hook = `http://127.0.0.1:${receiver.address().port}/hooks/orders`;
const endpoint = command('webhook', 'add', '--store', demo.storeId, '--url', hook, '--events', events);

const server = spawn(process.execPath, [program, 'serve', '--json'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
const url = await new Promise((resolve) => {
  server.stdout.on('data', (data) => {
    const found = /"url":"([^"]+)"/.exec(data);
    if (found) resolve(found[1]);
  });
});
const api = async (method, path, body) => {
  const headers = { authorization: `Bearer ${demo.apiKey}`, 'content-type': 'application/json' };
  const response = await fetch(`${url}/api/v1${path}`, { method, headers, body: body && JSON.stringify(body) });
  return (await response.json()).data;
};
// Changes that send webhooks.
const orders = await api('GET', '/orders?limit=12');
const statuses = ['new', 'packing', 'delivering', 'completed', 'packing'];
for (const [index, { id }] of orders.entries()) {
  const status = statuses[index % statuses.length];
  await api('PATCH', `/orders/${id}`, { status, paymentStatus: status === 'new' ? 'unpaid' : 'paid' });
}
command('webhook', 'ping', endpoint.id);

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const store = `/stores/${demo.storeId}`;
const desktop = { width: 1280, height: 860 };
const phone = { width: 390, height: 800 };
/** File name, path and browser options. */
const screenshots = [
  ['home', store],
  ['home-dark', store, { colorScheme: 'dark' }],
  ['home-phone', store, { viewport: phone }],
  ['orders', `${store}/orders`],
  ['orders-phone', `${store}/orders`, { viewport: phone }],
  ['orders-ru', `${store}/orders`, { locale: 'ru-RU' }],
  ['board', `${store}/orders/board`],
  ['order', `${store}/orders/${orders[2].id}`],
  ['new-order', `${store}/orders/new`],
  ['products', `${store}/catalog/products`],
  ['categories', `${store}/catalog/categories`],
  ['customers', `${store}/customers`],
  ['import', `${store}/catalog/import`],
  ['order-statuses', `${store}/references/order-statuses`],
  ['order-page', `${store}/settings/shop`],
  ['api-keys', `${store}/settings/api-keys`],
  ['webhooks', `${store}/settings/webhooks`],
  ['webhook', `${store}/settings/webhooks/${endpoint.id}`],
  ['signature', `${store}/settings/webhooks/signature`],
  ['history', `${store}/history`],
];
try {
  for (const [name, path, options = {}] of screenshots) {
    const context = await browser.newContext({
      baseURL: url,
      viewport: desktop,
      locale: 'en-US',
      timezoneId: 'Europe/Moscow',
      reducedMotion: 'reduce',
      ...options,
    });
    const page = await context.newPage();
    const response = await context.request.post('/console/api/session', {
      data: { email: demo.email, password: demo.password },
      headers: { origin: url },
    });
    if (!response.ok()) throw new Error(`sign-in failed with ${response.status()}`);
    // The stream of changes does not end, and the network would never be idle.
    await page.route('**/changes', (route) => route.fulfill({ status: 204 }));
    await page.goto(`/console${path}`);
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(300);
    if (await page.getByText('Page not found').count()) throw new Error(`${path} does not exist`);
    await page.screenshot({ path: join(out, `${name}.png`) });
    console.log(`${name}.png`);
    await context.close();
  }
} finally {
  await browser.close();
  server.kill();
  receiver.close();
  rmSync(dataDir, { recursive: true, force: true });
}
