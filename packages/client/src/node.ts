import { DELIVERY_HEADER, SIGNATURE_HEADER } from './contract.generated.ts';
import { type Outcome, type receiver, refused } from './receive.ts';

/** Payloads are some hundred bytes; whoever sends more is not the service. */
export const MAX_BODY = 256 * 1024;

/** What is used of a request of Node's http, and of the frameworks on top of it. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  readableDidRead?: boolean;
  /** Some platforms keep the bytes here. */
  rawBody?: unknown;
  /** Bytes or text behind `express.raw()` or `express.text()`. */
  body?: unknown;
}

export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

const RAW_BODY_LOST =
  'The body was read and parsed before it could be verified. Mount the webhook before express.json() and the like, or give its route express.raw({ type: "*/*" }).';

export const one = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(',') : value);

/** A handler for `http.createServer`, and for Express, whose requests and answers are Node's. */
export const nodeHandler =
  ({ receive, onError }: ReturnType<typeof receiver>) =>
  async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    let outcome: Outcome;
    try {
      const rawBody = request.method === 'POST' ? await bodyOf(request) : undefined;
      if (request.method !== 'POST') outcome = refused(405, 'Only POST.');
      else if (rawBody === undefined) outcome = refused(413, 'The body is too large.');
      else
        outcome = await receive({
          rawBody,
          signature: one(request.headers[SIGNATURE_HEADER]),
          delivery: one(request.headers[DELIVERY_HEADER]),
        });
    } catch (error) {
      onError(error);
      outcome = refused(500, 'The request could not be read.');
    }
    response.statusCode = outcome.status;
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    if (outcome.status === 405) response.setHeader('Allow', 'POST');
    // What was not read cannot be followed by another request on the same connection.
    if (outcome.status === 413) response.setHeader('Connection', 'close');
    response.end(outcome.text);
  };

async function bodyOf(request: NodeRequest): Promise<string | Uint8Array | undefined> {
  for (const kept of [request.rawBody, request.body])
    if (typeof kept === 'string' || kept instanceof Uint8Array) return kept;
  if (request.readableDidRead) throw new Error(RAW_BODY_LOST);
  if (Number(one(request.headers['content-length'])) > MAX_BODY) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY) return undefined;
    chunks.push(chunk);
  }
  return concatenated(chunks);
}

export function concatenated(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes;
}
