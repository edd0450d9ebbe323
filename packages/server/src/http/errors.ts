import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, errorCodes, type Problem } from '@store-sales/contract';
import { CONSOLE_API_PREFIX, consoleErrorCodes, type LimitParams } from '@store-sales/contract/console';
import type { ConnectionError, FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseMoving, DatabaseUnavailable, OutcomeUnknown } from '../db/database.ts';
import { DomainError } from '../domain-error.ts';
import { LimitReached } from '../limits.ts';
import { Overloaded } from './admission.ts';
import { StoreBusy } from './store-limit.ts';

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
  FST_ERR_MAX_PARAM_LENGTH: ['not_found', 'There is no such record.'],
  FST_ERR_BAD_URL: ['invalid_parameter', 'The path is not correctly percent-encoded.'],
};

/** Maps any error to one that is safe to show to clients. */
export function asDomainError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  if (error instanceof OutcomeUnknown)
    return new DomainError(
      'unavailable',
      'The connection to the database was lost during the commit: the change may or may not have been made.',
    );
  if (error instanceof DatabaseMoving)
    return new DomainError(
      'unavailable',
      `The data ${error.movedTo ? 'has moved to another database, which another process serves' : 'is being copied to another database and cannot be changed until that is done'}; nothing was changed.`,
    );
  if (error instanceof DatabaseUnavailable)
    return new DomainError('unavailable', 'The database is currently unavailable; nothing was changed.');
  const known = framework[String((error as { code?: unknown }).code)];
  if (known) return new DomainError(...known);
  return new DomainError('internal_error', 'Internal error; it has been logged.');
}

/** Codes and messages for Node's own errors, which occur before there is a request. */
const connection: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The URL and headers together exceed 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request was not received in time.'],
};

/** The problem document of an error, and its status. */
function problemOf(
  publicUrl: () => string,
  { code, detail, fieldErrors }: DomainError,
  requestId: string,
  params?: LimitParams,
) {
  const { status, title } = definitions[code];
  // Console-only codes are not in the error reference and do not concern API keys.
  const isPublic = code in errorCodes;
  const problem: Omit<Problem, 'code' | 'errors'> & {
    code: string;
    errors?: DomainError['fieldErrors'];
    params?: LimitParams | undefined;
  } = {
    type: isPublic ? `${publicUrl()}${ERRORS_PATH}#${code}` : 'about:blank',
    title,
    status,
    detail,
    code,
    requestId,
    ...(fieldErrors.length && { errors: fieldErrors }),
    params,
  };
  return { status, isPublic, text: JSON.stringify(problem) };
}

/** Responds to a connection error that occurred before there was a request, and closes the connection. */
export function refuseConnection(publicUrl: () => string, error: ConnectionError, socket: Socket, requestId: string) {
  if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
  const known = connection[error.code];
  const domainError = new DomainError(...(known ?? ['malformed_request', 'This is not a valid HTTP/1.1 request.']));
  const { status, text } = problemOf(publicUrl, domainError, requestId);
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

/** Rejects many requests for a reason that is in the log or known to the operator. */
const isExpected = (error: unknown) =>
  error instanceof Overloaded || error instanceof StoreBusy || error instanceof DatabaseMoving;

/** The public form of any error, with its status and headers; logs server errors. */
export function respondTo(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const domainError = asDomainError(error);
  const { status } = definitions[domainError.code];
  if (status >= 500 && !isExpected(error)) request.log.error({ err: error, requestId: request.id }, domainError.code);
  const retryAfter = domainError.retryAfter ?? (status === 503 ? 2 : undefined);
  if (retryAfter !== undefined) reply.header('Retry-After', retryAfter);
  return { domainError, status };
}

/** Sends any error as a problem document, and logs server errors. */
export function sendProblem(publicUrl: () => string, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const { domainError } = respondTo(error, request, reply);
  // The problem document of the public API has no `params`.
  const isConsole = () => request.routeOptions.url?.startsWith(CONSOLE_API_PREFIX);
  const params = domainError instanceof LimitReached && isConsole() ? domainError.params : undefined;
  const { status, isPublic, text } = problemOf(publicUrl, domainError, request.id, params);
  if (status === 401 && isPublic) reply.header('WWW-Authenticate', 'Bearer');
  return reply.code(status).header('X-Request-Id', request.id).type(PROBLEM).send(text);
}
