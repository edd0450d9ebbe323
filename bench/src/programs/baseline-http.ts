/** Baseline of reads on SQLite: `node:http` sending the same bytes from memory. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { handleMessages } from './handle-messages.ts';

/** A response of the service to imitate. */
export interface SampleResponse {
  headers: Record<string, string>;
  body: string;
}

let body = Buffer.alloc(0);
let headers: Record<string, string> = {};
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, headers);
  response.end(body);
});
const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

handleMessages(async (sample: SampleResponse): Promise<number> => {
  await listening;
  body = Buffer.from(sample.body);
  headers = sample.headers;
  return (server.address() as AddressInfo).port;
});
