import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OrderEvent } from '@store-sales/contract';

export interface Received {
  at: number;
  headers: IncomingHttpHeaders;
  body: string;
  event: OrderEvent;
}

/**
 * A webhook receiver that records requests and responds as configured. With a delay, overlapping attempts of one
 * delivery can be detected.
 */
export async function receiver(respond: (received: Received) => number | Promise<number> = () => 200, delay = () => 0) {
  const received: Received[] = [];
  const underWay = new Set<string>();
  /** Deliveries that arrived while another attempt of the same delivery was in progress. */
  const overlaps: string[] = [];
  const server = createServer((request, response) => {
    const delivery = String(request.headers['x-service-delivery']);
    if (underWay.has(delivery)) overlaps.push(delivery);
    underWay.add(delivery);
    response.on('close', () => underWay.delete(delivery));
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (data) => {
      body += data;
    });
    request.on('end', async () => {
      const one = { at: Date.now(), headers: request.headers, body, event: JSON.parse(body) as OrderEvent };
      const status = await respond(one);
      const wait = delay();
      if (wait) await sleep(wait);
      if (status < 300) received.push(one);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    overlaps,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
