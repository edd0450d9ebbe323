// Keeps a copy of the orders: webhooks make it live, synchronization makes it complete.
import { createServer } from 'node:http';
import { StoreSales } from '@store-sales/client';
import { receiveWebhooks } from '@store-sales/client/webhooks';
import { Copy } from './copy.js';

const { STORE_SALES_URL, STORE_SALES_KEY, WEBHOOK_SECRET, COPY_FILE = 'orders.json', PORT = '8080' } = process.env;
const EVERY_FIVE_MINUTES = 5 * 60_000;

const client = new StoreSales({ baseUrl: STORE_SALES_URL, apiKey: STORE_SALES_KEY });
const copy = new Copy(COPY_FILE);

const hooks = receiveWebhooks({
  secret: WEBHOOK_SECRET,
  // The id is remembered with the order, in one write: see Copy.
  seen: { seen: (id) => copy.hasEvent(id), remember() {} },
  onEvent(event) {
    if (event.type === 'ping') return;
    // An event only says where to look. The order is read as it is now, so the order of arrival does not matter.
    return copy.exclusive(async () => copy.putFromEvent(await client.orders.get(event.data.orderId), event.id));
  },
});

/** What no event told of: orders from before the webhook, changes of notes or addresses, events that got lost. */
const catchUp = () =>
  copy.exclusive(async () => {
    for await (const { records, bookmark } of client.orders.sync({ bookmark: copy.bookmark, with: 'items' }))
      copy.putFromSync(records, bookmark);
  });

await catchUp();
setInterval(() => catchUp().catch((error) => console.error('catching up:', error)), EVERY_FIVE_MINUTES).unref();

const server = createServer((request, response) => {
  if (request.url === '/hooks') return hooks.node(request, response);
  const found = request.url === '/orders';
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found ? copy.orders : {}));
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const { port } = server.address();
  console.log(`receiving at http://127.0.0.1:${port}/hooks; the copy: http://127.0.0.1:${port}/orders`);
});
process.once('SIGTERM', () => server.close());
