import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import type { FuzzRequest } from './fuzz-requests.ts';

/** The long form: FUZZ_REQUESTS=100000 npm test -- e2e/fuzz. One request again: FUZZ_SEED=… FUZZ_SERIAL=… */
export const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 2000);
export const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000);
export const ONLY = process.env.FUZZ_SERIAL === undefined ? undefined : Number(process.env.FUZZ_SERIAL);
const AT_ONCE = 16;
const LIMIT_MS = 20_000;
export const FUZZ_TIMEOUT_MS = 3_600_000;

export interface FuzzResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Internals that no response may contain. */
const internals = /node_modules|SQLITE|sqlite_|\bat .+\.[jt]s:\d|syntax error|pg_|Cannot read prop|is not a function/;

/** Invariants of every response. */
export function checkInvariants({ status, headers, text }: FuzzResponse) {
  if (status >= 500) throw new Error(`responded with ${status}: ${text.slice(0, 300)}`);
  if (internals.test(text) && status >= 400) throw new Error('contains internals');
  if (!headers['x-request-id']) throw new Error('lacks X-Request-Id');
}

function sender(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const { hostname, port } = new URL(url);
  const send = ({ method, path, headers, body }: FuzzRequest): Promise<FuzzResponse> =>
    new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          ...{ agent, hostname, port, method, path },
          headers: { ...headers, ...(body && { 'content-length': body.length }) },
        },
        (response) => {
          const pieces: Buffer[] = [];
          response.on('data', (piece) => pieces.push(piece));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(pieces).toString();
            resolve({ status: response.statusCode as number, headers: response.headers, text });
          });
        },
      );
      const timer = setTimeout(() => request.destroy(new Error(`no response within ${LIMIT_MS} ms`)), LIMIT_MS);
      request.on('close', () => clearTimeout(timer));
      request.on('error', reject);
      request.end(body);
    });
  return { send, close: () => agent.destroy() };
}

/**
 * Sends concurrent requests and checks every response; fails with a list of violations and how to reproduce them.
 * Returns the number of responses by status.
 */
export async function runFuzz(
  url: string,
  make: (seed: number, serial: number) => FuzzRequest,
  checkResponse: (request: FuzzRequest, response: FuzzResponse) => void,
  count = REQUESTS,
): Promise<Map<number, number>> {
  const { send, close } = sender(url);
  const counts = new Map<number, number>();
  const failures: string[] = [];
  let serial = 0;
  let slowest = { ms: 0, serial: 0 };

  async function attempt(number: number) {
    const request = make(SEED, number);
    try {
      const sentAt = performance.now();
      const response = await send(request);
      const ms = Math.round(performance.now() - sentAt);
      if (ms > slowest.ms) slowest = { ms, serial: number };
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
      checkResponse(request, response);
    } catch (error) {
      const { method, path, headers, body } = request;
      const sent = `${method} ${path.slice(0, 400)}\n${JSON.stringify(headers).slice(0, 600)}\n${String(body ?? '').slice(0, 600)}`;
      failures.push(`FUZZ_SEED=${SEED} FUZZ_SERIAL=${number}: ${(error as Error).message.slice(0, 800)}\n${sent}`);
    }
  }
  const worker = async () => {
    while (serial < count && failures.length < 20) await attempt(serial++);
  };
  const started = Date.now();
  if (ONLY !== undefined) await attempt(ONLY);
  else await Promise.all(Array.from({ length: AT_ONCE }, worker));
  close();

  expect(failures.join('\n\n')).toBe('');
  const countList = [...counts].sort(([a], [b]) => a - b).map(([status, each]) => `${status}: ${each}`);
  console.info(
    `seed ${SEED}: ${serial} requests in ${Date.now() - started} ms, the slowest (${slowest.serial}) ${slowest.ms} ms; ${countList.join(', ')}`,
  );
  return counts;
}
