/** The HTTP client alone, posting such a body to the same receiver over so many connections. */
import { Agent } from 'undici';
import { answerParent } from './answer.ts';
import { stopwatch } from './stopwatch.ts';

export interface Posting {
  url: string;
  connections: number;
  seconds: number;
}

answerParent(async ({ url, connections, seconds }: Posting): Promise<number> => {
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
  };
  const post = async () => {
    const answer = await agent.request({ origin, path: pathname, method: 'POST', headers, body });
    await answer.body.dump();
  };
  const all = (work: () => Promise<void>) => Promise.all(Array.from({ length: connections }, work));
  // The service's connections are open when its clock starts, and so are these.
  await all(post);
  const start = performance.now();
  const taken = stopwatch();
  let count = 0;
  await all(async () => {
    while (performance.now() < start + seconds * 1000) {
      await post();
      count++;
    }
  });
  const perSecond = count / taken();
  await agent.close();
  return perSecond;
});
