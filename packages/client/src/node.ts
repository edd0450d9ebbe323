import { DELIVERY_HEADER, SIGNATURE_HEADER } from './contract.generated.ts';
import { type Outcome, type receiver, rejection } from './receive.ts';

/** The service's payloads have a few hundred bytes. */
export const MAX_BODY_BYTES = 256 * 1024;

/** The part of a `node:http` request, or of a framework based on it, that is used. */
export interface NodeRequest extends AsyncIterable<Uint8Array> {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  readableDidRead?: boolean;
  /** Set by some platforms. */
  rawBody?: unknown;
  /** Bytes or text after `express.raw()` or `express.text()`. */
  body?: unknown;
}

export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text: string): unknown;
}

const RAW_BODY_CONSUMED =
  'The body was parsed before its signature could be verified. Mount the webhook before express.json(), or use express.raw({ type: "*/*" }) on its route.';

export const headerValue = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(',') : value);

/** A handler for `http.createServer` and for Express. */
export const nodeHandler =
  ({ receive, onError }: ReturnType<typeof receiver>) =>
  async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    let outcome: Outcome;
    try {
      const rawBody = request.method === 'POST' ? await bodyOf(request) : undefined;
      if (request.method !== 'POST') outcome = rejection(405, 'Use POST.');
      else if (rawBody === undefined) outcome = rejection(413, 'The body is too large.');
      else
        outcome = await receive({
          rawBody,
          signature: headerValue(request.headers[SIGNATURE_HEADER]),
          delivery: headerValue(request.headers[DELIVERY_HEADER]),
        });
    } catch (error) {
      onError(error);
      outcome = rejection(500, 'The request could not be read.');
    }
    response.statusCode = outcome.status;
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    if (outcome.status === 405) response.setHeader('Allow', 'POST');
    // The rest of the body is not read, so the connection cannot be reused.
    if (outcome.status === 413) response.setHeader('Connection', 'close');
    response.end(outcome.text);
  };

async function bodyOf(request: NodeRequest): Promise<string | Uint8Array | undefined> {
  for (const body of [request.rawBody, request.body])
    if (typeof body === 'string' || body instanceof Uint8Array) return body;
  if (request.readableDidRead) throw new Error(RAW_BODY_CONSUMED);
  if (Number(headerValue(request.headers['content-length'])) > MAX_BODY_BYTES) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return concat(chunks);
}

export function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((size, chunk) => size + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, end);
    end += chunk.length;
  }
  return bytes;
}
