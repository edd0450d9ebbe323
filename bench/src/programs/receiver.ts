/** A webhook receiver with HTTPS, in a process of its own. It notes how old each event was when it came. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerParent } from './answer.ts';

export interface Received {
  port: number;
  count: number;
  /** Milliseconds from the change until the event was here, sorted; told when they are forgotten. */
  ages: number[];
}

const certificate = readFileSync(process.env.RECEIVER_CERTIFICATE as string);
let ages: number[] = [];
const server = createServer(
  { cert: certificate, key: readFileSync(process.env.RECEIVER_KEY as string) },
  (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      ages.push(Date.now() - Date.parse(JSON.parse(Buffer.concat(parts).toString()).createdAt));
      response.writeHead(200, { 'Content-Length': 2 }).end('ok');
    });
  },
);
server.keepAliveTimeout = 60_000;
const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

/** Tells what has come, and forgets it when asked to. */
answerParent(async (question: 'look' | 'forget'): Promise<Received> => {
  await listening;
  const { port } = server.address() as AddressInfo;
  const told = { port, count: ages.length };
  // A look costs next to nothing: it happens while deliveries come in.
  if (question === 'look') return { ...told, ages: [] };
  const sorted = ages.sort((a, b) => a - b);
  ages = [];
  return { ...told, ages: sorted };
});
