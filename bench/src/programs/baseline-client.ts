/** Baseline of webhook delivery: undici posting a similar body with the same headers to the same receiver. */
import { Agent } from 'undici';
import { handleMessages } from './handle-messages.ts';
import { stopwatch } from './stopwatch.ts';

export interface PostOptions {
  url: string;
  connections: number;
  seconds: number;
}

handleMessages(async ({ url, connections, seconds }: PostOptions): Promise<number> => {
  const agent = new Agent({ connections, pipelining: 1 });
  const { origin, pathname } = new URL(url);
  const body = JSON.stringify({
    id: '019a8633-3a97-720b-baf9-e0aa990456b9',
    type: 'order.created',
    createdAt: new Date().toISOString(),
    data: { orderId: '019a8633-3a97-720b-baf9-e0aa990456b9', externalId: '' },
  });
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'store-sales/0.1.0',
    'X-Service-Event': 'order.created',
    'X-Service-Delivery': '019a8633-3a97-720b-baf9-e0aa990456b9',
    'X-Service-Signature': `t=1234567890,v1=${'0'.repeat(64)}`,
    'webhook-id': '019a8633-3a97-720b-baf9-e0aa990456b9',
    'webhook-timestamp': '1234567890',
    'webhook-signature': `v1,${'0'.repeat(43)}=`,
  };
  const post = async () => {
    const response = await agent.request({ origin, path: pathname, method: 'POST', headers, body });
    await response.body.dump();
  };
  const onEachConnection = (work: () => Promise<void>) => Promise.all(Array.from({ length: connections }, work));
  // Opens the connections before the clock starts, as the service's are.
  await onEachConnection(post);
  const start = performance.now();
  const elapsed = stopwatch();
  let count = 0;
  await onEachConnection(async () => {
    while (performance.now() < start + seconds * 1000) {
      await post();
      count++;
    }
  });
  const perSecond = count / elapsed();
  await agent.close();
  return perSecond;
});
