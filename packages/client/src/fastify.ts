import { DELIVERY_HEADER, SIGNATURE_HEADER } from './contract.generated.ts';
import { MAX_BODY, one } from './node.ts';
import type { receiver } from './receive.ts';

interface Request {
  body: unknown;
  headers: Record<string, string | string[] | undefined>;
}
interface Reply {
  code(status: number): unknown;
  type(contentType: string): unknown;
}

/** What is used of a Fastify instance. */
export interface FastifyLike {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parse: (request: unknown, body: Uint8Array, done: (error: null, body: Uint8Array) => void) => void,
  ): unknown;
  post(path: string, handler: (request: Request, reply: Reply) => Promise<string>): unknown;
}

/** A plugin. What it does to the parsing of bodies stays inside it; the other routes keep theirs. */
export const fastifyPlugin =
  ({ receive }: ReturnType<typeof receiver>) =>
  async (app: FastifyLike, { path = '/' }: { path?: string }): Promise<void> => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY }, (_request, body, done) =>
      done(null, body),
    );
    app.post(path, async ({ body, headers }, reply) => {
      const { status, text } = await receive({
        rawBody: body instanceof Uint8Array ? body : '',
        signature: one(headers[SIGNATURE_HEADER]),
        delivery: one(headers[DELIVERY_HEADER]),
      });
      reply.code(status);
      reply.type('text/plain; charset=utf-8');
      return text;
    });
  };
