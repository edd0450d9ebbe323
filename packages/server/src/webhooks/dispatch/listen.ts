import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventHeaders, type Verification, verify } from '@store-sales/contract';

export interface ListenOptions {
  /** 0 picks a free one. */
  port: number;
  /** Without it signatures are not verified, and every line says so. */
  secret?: string | undefined;
  /** Called with one line for each request. */
  print(line: string): void;
  now(): number;
  host?: string;
}

const BODY_LIMIT = 1024 * 1024;

/** A receiver for development: prints one line per event and responds 200, or 400 to a bad signature. */
export async function listen({ port, secret, print, now, host = '127.0.0.1' }: ListenOptions) {
  async function receive(request: IncomingMessage, response: ServerResponse) {
    const body = await bodyOf(request);
    const header = request.headers[eventHeaders.signature.toLowerCase()] as string | undefined;
    const check = secret === undefined ? undefined : await verify(body, header, secret, { now: now() });
    const isRefused = check?.ok === false;
    print([new Date(now()).toISOString(), describe(request, body), verificationText(check)].join('  '));
    response.writeHead(isRefused ? 400 : 200, { 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(isRefused ? check.message : 'ok');
  }

  const server = createServer((request, response) => {
    receive(request, response).catch((error: Error) => {
      print(`${new Date(now()).toISOString()}  not received: ${error.message}`);
      response.writeHead(400).end(error.message);
    });
  });
  await new Promise<void>((done, fail) => {
    server.once('error', fail).listen(port, host, done);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Summary of the event; a body that is not JSON is shown as is, with control characters escaped. */
function describe(request: IncomingMessage, body: Buffer): string {
  const delivery = request.headers[eventHeaders.delivery.toLowerCase()] ?? 'none';
  try {
    const { id, type, data } = JSON.parse(body.toString()) as Record<string, unknown>;
    return `${visible(type)}  event ${visible(id)}  delivery ${delivery}  ${JSON.stringify(data)}`;
  } catch {
    return `${request.method} ${visible(request.url)}  ${visible(body.toString().slice(0, 200))}`;
  }
}

const visible = (value: unknown) => JSON.stringify(String(value)).slice(1, -1);

function verificationText(check: Verification | undefined): string {
  if (!check) return 'not verified (no secret given)';
  return check.ok ? 'signature ok' : `REFUSED: ${check.message}`;
}
