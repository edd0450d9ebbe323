import { DELIVERY_HEADER, SIGNATURE_HEADER } from './contract.generated.ts';
import { headerValue, MAX_BODY_BYTES } from './node.ts';
import type { receiver } from './receive.ts';

interface Request {
  body: unknown;
  headers: Record<string, string | string[] | undefined>;
}
interface Reply {
  code(status: number): unknown;
  type(contentType: string): unknown;
}

/** The part of a Fastify instance that is used. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parse: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  post(path: string, handler: (request: Request, reply: Reply) => Promise<string>): unknown;
}

/** A Fastify plugin. Its content type parser does not affect other routes. */
export const fastifyPlugin =
  ({ receive }: ReturnType<typeof receiver>) =>
  async (app: FastifyLike, { path = '/' }: { path?: string }): Promise<void> => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    app.post(path, async ({ body, headers }, reply) => {
      const { status, text } = await receive({
        rawBody: body instanceof Uint8Array ? body : '',
        signature: headerValue(headers[SIGNATURE_HEADER]),
        delivery: headerValue(headers[DELIVERY_HEADER]),
      });
      reply.code(status);
      reply.type('text/plain; charset=utf-8');
      return text;
    });
  };
