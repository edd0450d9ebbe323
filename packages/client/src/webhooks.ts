import { fastifyPlugin } from './fastify.ts';
import { fetchHandler } from './fetch.ts';
import { nodeHandler } from './node.ts';
import { type ReceiverOptions, receiver } from './receive.ts';

export { type SignatureFault, signatureHeader, type Verification, verify } from '@store-sales/contract/signature';
export type { OrderEvent, PingEvent } from './contract.generated.ts';
export type { FastifyLike } from './fastify.ts';
export type { NodeRequest, NodeResponse } from './node.ts';
export type { Incoming, Outcome, ReceiverOptions, WebhookEvent } from './receive.ts';
export { type SeenEvents, SeenInMemory } from './seen.ts';

/** A receiver of webhooks, ready for the server you have. All of them see to the raw body. */
export function receiveWebhooks(options: ReceiverOptions) {
  const core = receiver(options);
  const node = nodeHandler(core);
  return {
    /** For any other server: hand in the body as it came, and answer with what comes back. */
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
