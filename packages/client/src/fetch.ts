import { DELIVERY_HEADER, SIGNATURE_HEADER } from './contract.generated.ts';
import { concat, MAX_BODY_BYTES } from './node.ts';
import { type Outcome, type receiver, rejection } from './receive.ts';

/** A handler for servers with `fetch` types: Deno, Bun, Hono, Next.js route handlers, workers. */
export const fetchHandler =
  ({ receive, onError }: ReturnType<typeof receiver>) =>
  async (request: Request): Promise<Response> => {
    const { status, text } = await outcomeOf(request);
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', ...(status === 405 && { Allow: 'POST' }) };
    return new Response(text, { status, headers });

    async function outcomeOf({ method, headers }: Request): Promise<Outcome> {
      if (method !== 'POST') return rejection(405, 'Use POST.');
      try {
        const rawBody = await bodyOf(request);
        if (!rawBody) return rejection(413, 'The body is too large.');
        return await receive({
          rawBody,
          signature: headers.get(SIGNATURE_HEADER) ?? undefined,
          delivery: headers.get(DELIVERY_HEADER) ?? undefined,
        });
      } catch (error) {
        onError(error);
        return rejection(500, 'The request could not be read.');
      }
    }
  };

/** Undefined if the body is too large. Reads at most MAX_BODY_BYTES, whatever Content-Length says. */
async function bodyOf({ headers, body }: Request): Promise<Uint8Array | undefined> {
  if (Number(headers.get('content-length')) > MAX_BODY_BYTES) return undefined;
  const chunks: Uint8Array[] = [];
  const reader = body?.getReader();
  for (let size = 0; reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_BODY_BYTES) {
      // Not awaited, because a source that ignores it would delay the response.
      reader.cancel().catch(() => {});
      return undefined;
    }
    chunks.push(value);
  }
  return concat(chunks);
}
