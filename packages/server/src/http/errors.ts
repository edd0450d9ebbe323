import { type ErrorCode, errorCodes, type Problem } from '@store-sales/contract';
import { consoleErrorCodes } from '@store-sales/contract/console';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable, OutcomeUnknown } from '../db/database.ts';
import { Refusal } from '../refusal.ts';

/** The error reference page; one anchor per code. */
export const ERRORS_PATH = '/docs/errors';

const answers = { ...errorCodes, ...consoleErrorCodes };

/** What Fastify itself refuses, in our words. */
const framework: Record<string, [ErrorCode, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_media_type', 'Send the body as application/json.'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['body_too_large', 'The body is larger than 1 MiB.'],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed_json', 'The body does not have the length that Content-Length says.'],
  FST_ERR_BAD_URL: ['invalid_parameter', 'The path is not correctly percent-encoded.'],
};

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof OutcomeUnknown)
    return new Refusal('unavailable', 'The database was lost at the last step: the change may have been made or not.');
  if (error instanceof DatabaseUnavailable)
    return new Refusal('unavailable', 'The database cannot be reached right now; nothing was changed.');
  const known = framework[String((error as { code?: unknown }).code)];
  if (known) return new Refusal(...known);
  return new Refusal('internal_error', 'The service failed; the fault is ours and has been logged.');
}

/** Sends any error as a problem document, and logs those that are our own fault. */
export function sendProblem(publicUrl: () => string, error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error);
  const { status, title } = answers[refusal.code];
  // What only the console can meet has no place in the reference, and nothing to do with keys.
  const isPublic = refusal.code in errorCodes;
  if (status >= 500) request.log.error({ err: error, requestId: request.id }, refusal.code);
  const problem: Omit<Problem, 'code'> & { code: string } = {
    type: isPublic ? `${publicUrl()}${ERRORS_PATH}#${refusal.code}` : 'about:blank',
    title,
    status,
    detail: refusal.detail,
    code: refusal.code,
    requestId: request.id,
    ...(refusal.faults.length && { errors: [...refusal.faults] }),
  };
  if (status === 401 && isPublic) reply.header('WWW-Authenticate', 'Bearer');
  if (status === 503) reply.header('Retry-After', '2');
  return reply
    .code(status)
    .header('X-Request-Id', request.id)
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem));
}
