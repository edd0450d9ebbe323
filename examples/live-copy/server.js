// Keeps a copy of the orders up to date with webhooks, and complete with synchronization.
import { createServer } from 'node:http';
import { StoreSales } from '@store-sales/client';
import { receiveWebhooks } from '@store-sales/client/webhooks';
import { Copy } from './copy.js';

const { STORE_SALES_URL, STORE_SALES_KEY, WEBHOOK_SECRET, COPY_FILE = 'orders.json', PORT = '8080' } = process.env;
const SYNC_INTERVAL_MS = 5 * 60_000;

const client = new StoreSales({ baseUrl: STORE_SALES_URL, apiKey: STORE_SALES_KEY });
const copy = new Copy(COPY_FILE);

const hooks = receiveWebhooks({
  secret: WEBHOOK_SECRET,
  // Copy stores the event id together with the order.
  seen: { seen: (id) => copy.hasEvent(id), remember() {} },
  onEvent(event) {
    if (event.type === 'ping') return;
    // Reads the current state of the order, so the order of the events does not matter.
    return copy.exclusive(async () => copy.putFromEvent(await client.orders.get(event.data.orderId), event.id));
  },
});

/** Gets what no event reported: older orders, changes of notes or addresses, lost events. */
const synchronize = () =>
  copy.exclusive(async () => {
    for await (const { records, bookmark } of client.orders.sync({ bookmark: copy.bookmark, with: 'items' }))
      copy.putFromSync(records, bookmark);
  });

await synchronize();
setInterval(
  () => synchronize().catch((error) => console.error('synchronization failed:', error)),
  SYNC_INTERVAL_MS,
).unref();

const server = createServer((request, response) => {
  if (request.url === '/hooks') return hooks.node(request, response);
  const found = request.url === '/orders';
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(found ? copy.orders : {}));
});
server.listen(Number(PORT), '127.0.0.1', () => {
  const { port } = server.address();
  console.log(`webhooks at http://127.0.0.1:${port}/hooks, copy at http://127.0.0.1:${port}/orders`);
});
process.once('SIGTERM', () => server.close());
