import { DELIVERY_HEADER, SIGNATURE_HEADER } from './contract.generated.ts';
import { MAX_BODY } from './node.ts';
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

async function bodyOf(request: Request): Promise<Uint8Array | undefined> {
  if (Number(request.headers.get('content-length')) > MAX_BODY) return undefined;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.length > MAX_BODY ? undefined : bytes;
}
