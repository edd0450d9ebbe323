/** An HTTPS webhook receiver that records the delay of each event. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { handleMessages } from './handle-messages.ts';

export interface Received {
  port: number;
  count: number;
  /** Milliseconds from the change to the arrival of its event; only in the result of `reset`. */
  delays: number[];
}

const certificate = readFileSync(process.env.RECEIVER_CERTIFICATE as string);
let delays: number[] = [];
const server = createServer(
  { cert: certificate, key: readFileSync(process.env.RECEIVER_KEY as string) },
  (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      delays.push(Date.now() - Date.parse(JSON.parse(Buffer.concat(parts).toString()).createdAt));
      response.writeHead(200, { 'Content-Length': 2 }).end('ok');
    });
  },
);
server.keepAliveTimeout = 60_000;
const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

handleMessages(async (command: 'count' | 'reset'): Promise<Received> => {
  await listening;
  const { port } = server.address() as AddressInfo;
  const count = delays.length;
  // Polled while deliveries arrive, so the delays are not serialized.
  if (command === 'count') return { port, count, delays: [] };
  const recorded = delays;
  delays = [];
  return { port, count, delays: recorded };
});
