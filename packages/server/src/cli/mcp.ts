import { createInterface } from 'node:readline';
import { agentKey, ConfigError } from '../config.ts';

/** Longer than the service takes to reject a request. */
const TIMEOUT_MS = 60_000;
/** JSON-RPC: an error of the server, not of the message. */
const SERVER_ERROR = -32000;

/**
 * The Model Context Protocol over standard input and output, one message per line: sends each message to the service,
 * which has the only implementation, and prints the response.
 */
export async function mcp({ url }: { url: string }) {
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url))
    throw new ConfigError(`--url must be the URL of the service, such as https://sales.example, but is ${url}`);
  const endpoint = `${url.replace(/\/+$/, '').replace(/\/mcp$/, '')}/mcp`;
  const headers = { Authorization: `Bearer ${agentKey()}`, 'Content-Type': 'application/json' };

  async function send(line: string): Promise<string> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    // A redirect means that the URL is wrong; the key is not sent elsewhere.
    const request = { method: 'POST', headers, body: line, redirect: 'manual', signal } as const;
    const response = await fetch(endpoint, request).catch((error) => {
      throw new Failure(`${endpoint} cannot be reached: ${error.cause?.message ?? error.message}`);
    });
    const text = await response.text();
    if (response.ok) return text;
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
    const problem = isProblem ? JSON.parse(text) : undefined;
    throw new Failure(problem ? `${problem.code}: ${problem.detail}` : `${endpoint} sent ${response.status}`, problem);
  }

  createInterface({ input: process.stdin }).on('line', (line) => {
    if (!line.trim()) return;
    send(line)
      .catch((error) => errorFor(line, error))
      // A line break in JSON is only white space.
      .then((text) => text && process.stdout.write(`${text.replaceAll('\n', ' ')}\n`));
  });
}

class Failure extends Error {
  constructor(
    message: string,
    readonly problem?: object,
  ) {
    super(message);
  }
}

/** The error as the response to the request in the line; on standard error if the line has none. */
function errorFor(line: string, { message, problem }: Failure): string {
  const id = requestId(line);
  if (id !== undefined)
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message, data: problem } });
  console.error(`store-sales: ${message}`);
  return '';
}

function requestId(line: string): unknown {
  try {
    return JSON.parse(line)?.id;
  } catch {
    return undefined;
  }
}
