/** Node's own `http` sending the same bytes from memory: what no service on it can pass. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from './answer.ts';

/** An answer of the service: the headers that it sets, and the body. */
export interface Sample {
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

answerParent(async (sample: Sample): Promise<number> => {
  await listening;
  body = Buffer.from(sample.body);
  headers = sample.headers;
  return (server.address() as AddressInfo).port;
});
