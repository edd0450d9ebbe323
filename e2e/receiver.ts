import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OrderEvent } from '@store-sales/contract';

export interface Received {
  at: number;
  headers: IncomingHttpHeaders;
  body: string;
  event: OrderEvent;
}

/** A webhook receiver that keeps what it gets and answers as it is told. */
export async function receiver(answer: (received: Received) => number = () => 200) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (data) => {
      body += data;
    });
    request.on('end', () => {
      const one = { at: Date.now(), headers: request.headers, body, event: JSON.parse(body) as OrderEvent };
      const status = answer(one);
      if (status < 300) received.push(one);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
