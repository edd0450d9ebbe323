import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, errorCodes, type Problem } from '@store-sales/contract';
import { consoleErrorCodes } from '@store-sales/contract/console';
import type { ConnectionError, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable, OutcomeUnknown } from '../db/database.ts';
import { type AnyFault, Refusal } from '../refusal.ts';
import { StoreBusy } from '../store-limit.ts';
import { Overloaded } from './admission.ts';

/** The error reference page; one anchor per code. */
export const ERRORS_PATH = '/docs/errors';

const PROBLEM = 'application/problem+json; charset=utf-8';
const answers = { ...errorCodes, ...consoleErrorCodes };

/** What Fastify itself refuses, in our words. */
const framework: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is larger than 1 MiB.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed_json', 'The body does not have the length that Content-Length says.'],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_BAD_URL: ['invalid_parameter', 'The path is not correctly percent-encoded.'],
};

/** Any error as what may be told of it. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof OutcomeUnknown)
    return new Refusal('unavailable', 'The database was lost at the last step: the change may have been made or not.');
  if (error instanceof DatabaseUnavailable)
    return new Refusal('unavailable', 'The database cannot be reached or written right now; nothing was changed.');
  const known = framework[String((error as { code?: unknown }).code)];
  if (known) return new Refusal(...known);
  return new Refusal('internal_error', 'The service failed; the fault is ours and has been logged.');
}

/** What Node itself refuses, before there is a request. */
const connection: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The address and the headers together are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request was not complete in time.'],
};

/** The document of a refusal, and the status it comes with. */
function problemOf(publicUrl: () => string, { code, detail, faults }: Refusal, requestId: string) {
  const { status, title } = answers[code];
  // What only the console can meet has no place in the reference, and nothing to do with keys.
  const isPublic = code in errorCodes;
  const problem: Omit<Problem, 'code' | 'errors'> & { code: string; errors?: AnyFault[] } = {
    type: isPublic ? `${publicUrl()}${ERRORS_PATH}#${code}` : 'about:blank',
    title,
    status,
    detail,
    code,
    requestId,
    ...(faults.length && { errors: [...faults] }),
  };
  return { status, isPublic, text: JSON.stringify(problem) };
}

/** Answers what never became a request, and hangs up. */
export function refuseConnection(publicUrl: () => string, error: ConnectionError, socket: Socket, requestId: string) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
  const known = connection[error.code];
  const refusal = new Refusal(...(known ?? ['malformed_request', 'This is not a request in HTTP/1.1.']));
  const { status, text } = problemOf(publicUrl, refusal, requestId);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${PROBLEM}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  // What arrived last, where the parser gave up. A Buffer, whatever its type says.
  const isHead = String(error.rawPacket ?? '').startsWith('HEAD ');
  socket.end(`${head.join('\r\n')}\r\n\r\n${isHead ? '' : text}`);
}

/** Sends any error as a problem document, and logs those that are our own fault. */
export function sendProblem(publicUrl: () => string, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error);
  const { status, isPublic, text } = problemOf(publicUrl, refusal, request.id);
  if (status >= 500 && !(error instanceof Overloaded || error instanceof StoreBusy))
    request.log.error({ err: error, requestId: request.id }, refusal.code);
  if (status === 401 && isPublic) reply.header('WWW-Authenticate', 'Bearer');
  if (status === 503) reply.header('Retry-After', '2');
  return reply.code(status).header('X-Request-Id', request.id).type(PROBLEM).send(text);
}
