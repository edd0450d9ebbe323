import { API_PREFIX } from '@store-sales/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiCaller } from '../http/callers.ts';
import { maskKeys } from '../keys/secret.ts';

/** Longest query and problem document in the log, in characters. */
export const MAX_QUERY = 2000;
export const MAX_PROBLEM = 4000;
const MAX_DETAIL = 500;
const MAX_ADDRESS = 64;

/** A request of the API, as the log keeps it. */
export interface RequestLine {
  storeId: string;
  at: number;
  keyId: string;
  method: string;
  route: string;
  status: number;
  code: string | null;
  durationMs: number;
  requestId: string;
  address: string;
  query: string;
  problem: string | null;
}

/** `payload` is the response body. */
export function lineOf(
  { caller }: ApiCaller,
  { path }: { path: string },
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  now: number,
): RequestLine {
  const status = reply.statusCode;
  return {
    storeId: caller.store_id,
    at: now,
    keyId: caller.id,
    method: request.method,
    route: path.slice(API_PREFIX.length),
    status,
    durationMs: Math.round(reply.elapsedTime),
    requestId: maskKeys(request.id),
    address: copied(request.ip.slice(0, MAX_ADDRESS)),
    query: queryOf(request.raw.url as string),
    ...(status >= 400 && typeof payload === 'string' ? refusal(payload) : { code: null, problem: null }),
  };
}

function queryOf(url: string): string {
  const start = url.indexOf('?');
  if (start < 0) return '';
  const query = maskKeys(url.slice(start + 1));
  if (url.length <= MAX_QUERY) return query;
  return copied(query.length > MAX_QUERY ? `${query.slice(0, MAX_QUERY)}…` : query);
}

function refusal(text: string): Pick<RequestLine, 'code' | 'problem'> {
  const problem = JSON.parse(text) as { code: string; detail: string; errors?: unknown[] };
  return { code: problem.code, problem: maskKeys(text.length > MAX_PROBLEM ? shortened(problem) : text) };
}

/** The problem document with as many of its errors as fit, and the number of the others. */
function shortened({ errors = [], ...rest }: { detail: string; errors?: unknown[] }): string {
  const detail = rest.detail.length > MAX_DETAIL ? `${rest.detail.slice(0, MAX_DETAIL)}…` : rest.detail;
  const document = { ...rest, detail };
  let room = MAX_PROBLEM - JSON.stringify(document).length - '"errors":[],"omittedErrors":999,'.length;
  const end = errors.findIndex((error) => {
    room -= JSON.stringify(error).length + 1;
    return room < 0;
  });
  const kept = end < 0 ? errors : errors.slice(0, end);
  return JSON.stringify({ ...document, errors: kept, omittedErrors: errors.length - kept.length });
}

/** A part of a string keeps all of it in memory, such as a header of 16 KiB. */
const copied = (text: string) => Buffer.from(text).toString();
