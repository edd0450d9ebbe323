import { fastifyPlugin } from './fastify.ts';
import { fetchHandler } from './fetch.ts';
import { nodeHandler } from './node.ts';
import { type ReceiverOptions, receiver } from './receive.ts';

export { type SignatureError, signatureHeader, type Verification, verify } from '@store-sales/contract/signature';
export type { OrderEvent, PingEvent } from './contract.generated.ts';
export type { FastifyLike } from './fastify.ts';
export type { NodeRequest, NodeResponse } from './node.ts';
export type { Incoming, Outcome, ReceiverOptions, WebhookEvent } from './receive.ts';
export { type SeenEvents, SeenInMemory } from './seen.ts';

/** A webhook receiver with handlers for common servers. All of them use the raw body. */
export function receiveWebhooks(options: ReceiverOptions) {
  const core = receiver(options);
  const node = nodeHandler(core);
  return {
    /** For any other server: pass the raw body, and send the returned response. */
    receive: core.receive,
    /** `http.createServer(hooks.node)` */
    node,
    /** `app.post('/hooks', hooks.express)`, before any `express.json()`. */
    express: node,
    /** `app.register(hooks.fastify, { path: '/hooks' })` */
    fastify: fastifyPlugin(core),
    /** `Deno.serve(hooks.fetch)`, `Bun.serve({ fetch: hooks.fetch })`, `export const POST = hooks.fetch` */
    fetch: fetchHandler(core),
  };
}
