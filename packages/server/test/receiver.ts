import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Pair } from './certificates.ts';
import { cleanUpAfter } from './cleanup.ts';

export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  json: any;
}

export type Behaviour = (request: Received, response: ServerResponse) => void;

/** A webhook receiver on a real port that stores its requests and responds as set. */
export async function startReceiver(options: { tls?: Pair; respond?: Behaviour } = {}) {
  const received: Received[] = [];
  const waiting: { count: number; done: () => void }[] = [];
  let respond: Behaviour = options.respond ?? ((_request, response) => response.end('ok'));

  const listener: RequestListener = async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const got: Received = {
      method: request.method as string,
      path: request.url as string,
      headers: request.headers as Record<string, string>,
      body,
      json: JSON.parse(body),
    };
    received.push(got);
    for (const waiter of waiting.splice(0))
      if (received.length >= waiter.count) waiter.done();
      else waiting.push(waiter);
    respond(got, response);
  };
  const server = options.tls ? createTlsServer(options.tls, listener) : createServer(listener);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  cleanUpAfter(async () => {
    if (server.listening) await close();
  });

  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    received,
    close,
    respond(behaviour: Behaviour) {
      respond = behaviour;
    },
    respondWith(status: number, body = '') {
      respond = (_request, response) => void response.writeHead(status).end(body);
    },
    /** Resolves when this many requests have arrived in total. */
    count: (count: number) =>
      new Promise<void>((done) => {
        if (received.length >= count) done();
        else waiting.push({ count, done });
      }),
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A receiver that responds on demand. */
export async function startHolding() {
  const held: (() => void)[] = [];
  const receiver = await startReceiver({ respond: (_request, response) => void held.push(() => response.end()) });
  return {
    ...receiver,
    held,
    /** Responds to the oldest request. */
    release: () => held.shift()?.(),
    /** Responds to all held requests, and from now on immediately. */
    open() {
      receiver.respondWith(200);
      for (const respond of held.splice(0)) respond();
    },
  };
}
