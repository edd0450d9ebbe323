import { createInterface } from 'node:readline';
import { RequestRefused, remoteService } from './remote-service.ts';

/** JSON-RPC: an error of the server, not of the message. */
const SERVER_ERROR = -32000;

/**
 * The Model Context Protocol over standard input and output, one message per line: sends each message to the service,
 * which has the only implementation, and prints the response.
 */
export async function mcp({ url }: { url: string }) {
  const request = remoteService(url);
  createInterface({ input: process.stdin }).on('line', (line) => {
    if (!line.trim()) return;
    request('/mcp', line)
      .catch((error) => errorFor(line, error))
      // A line break in JSON is only white space.
      .then((text) => text && process.stdout.write(`${text.replaceAll('\n', ' ')}\n`));
  });
}

/** The error as the response to the request in the line; on standard error if the line has none. */
function errorFor(line: string, error: Error): string {
  const data = error instanceof RequestRefused ? error.problem : undefined;
  const message = data ? `${data.code}: ${data.detail}` : error.message;
  const id = requestId(line);
  if (id !== undefined) return JSON.stringify({ jsonrpc: '2.0', id, error: { code: SERVER_ERROR, message, data } });
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
