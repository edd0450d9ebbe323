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
const definitions = { ...errorCodes, ...consoleErrorCodes };

/** Codes and messages for Fastify's own errors. */
const framework: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is larger than 1 MiB.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed_json', 'The length of the body differs from Content-Length.'],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_BAD_URL: ['invalid_parameter', 'The path is not correctly percent-encoded.'],
};

/** Maps any error to one that is safe to show to clients. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof OutcomeUnknown)
    return new Refusal(
      'unavailable',
      'The connection to the database was lost during the commit: the change may or may not have been made.',
    );
  if (error instanceof DatabaseUnavailable)
    return new Refusal('unavailable', 'The database is currently unavailable; nothing was changed.');
  const known = framework[String((error as { code?: unknown }).code)];
  if (known) return new Refusal(...known);
  return new Refusal('internal_error', 'Internal error; it has been logged.');
}

/** Codes and messages for Node's own errors, which occur before there is a request. */
const connection: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The URL and headers together exceed 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request was not received in time.'],
};

/** The problem document of an error, and its status. */
function problemOf(publicUrl: () => string, { code, detail, faults }: Refusal, requestId: string) {
  const { status, title } = definitions[code];
  // Console-only codes are not in the error reference and do not concern API keys.
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

/** Responds to a connection error that occurred before there was a request, and closes the connection. */
export function refuseConnection(publicUrl: () => string, error: ConnectionError, socket: Socket, requestId: string) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
  const known = connection[error.code];
  const refusal = new Refusal(...(known ?? ['malformed_request', 'This is not a valid HTTP/1.1 request.']));
  const { status, text } = problemOf(publicUrl, refusal, requestId);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${PROBLEM}`,
    `Content-Length: ${Buffer.byteLength(text)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  // The last packet before the parse error. A Buffer, although its type says otherwise.
  const isHead = String(error.rawPacket ?? '').startsWith('HEAD ');
  socket.end(`${head.join('\r\n')}\r\n\r\n${isHead ? '' : text}`);
}

/** Sends any error as a problem document, and logs server errors. */
export function sendProblem(publicUrl: () => string, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error);
  const { status, isPublic, text } = problemOf(publicUrl, refusal, request.id);
  if (status >= 500 && !(error instanceof Overloaded || error instanceof StoreBusy))
    request.log.error({ err: error, requestId: request.id }, refusal.code);
  if (status === 401 && isPublic) reply.header('WWW-Authenticate', 'Bearer');
  if (status === 503) reply.header('Retry-After', '2');
  return reply.code(status).header('X-Request-Id', request.id).type(PROBLEM).send(text);
}
