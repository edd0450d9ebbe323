import { DELIVERY_HEADER, SIGNATURE_HEADER } from './contract.generated.ts';
import { concatenated, MAX_BODY } from './node.ts';
import { type Outcome, type receiver, refused } from './receive.ts';

/** A handler for servers in the style of `fetch`: Deno, Bun, Hono, route handlers of Next.js, workers. */
export const fetchHandler =
  ({ receive, onError }: ReturnType<typeof receiver>) =>
  async (request: Request): Promise<Response> => {
    const { status, text } = await outcomeOf(request);
    const headers = { 'Content-Type': 'text/plain; charset=utf-8', ...(status === 405 && { Allow: 'POST' }) };
    return new Response(text, { status, headers });

    async function outcomeOf({ method, headers }: Request): Promise<Outcome> {
      if (method !== 'POST') return refused(405, 'Only POST.');
      try {
        const rawBody = await bodyOf(request);
        if (!rawBody) return refused(413, 'The body is too large.');
        return await receive({
          rawBody,
          signature: headers.get(SIGNATURE_HEADER) ?? undefined,
          delivery: headers.get(DELIVERY_HEADER) ?? undefined,
        });
      } catch (error) {
        onError(error);
        return refused(500, 'The request could not be read.');
      }
    }
  };

/** Undefined where the body is too large; no more than MAX_BODY of it is kept, whatever length was announced. */
async function bodyOf({ headers, body }: Request): Promise<Uint8Array | undefined> {
  if (Number(headers.get('content-length')) > MAX_BODY) return undefined;
  const chunks: Uint8Array[] = [];
  const reader = body?.getReader();
  for (let size = 0; reader; ) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MAX_BODY) {
      // Not awaited: a source that ignores it must not hold up the response.
      reader.cancel().catch(() => {});
      return undefined;
    }
    chunks.push(value);
  }
  return concatenated(chunks);
}
