import { API_PREFIX } from '@store-sales/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { uuid } from '../db/uuid.ts';
import type { KeyCaller } from '../http/callers.ts';
import { clientAddress } from '../http/client-address.ts';
import { maskKeys } from '../keys/secret.ts';
import type { NewRow } from './requests.queries.ts';

/** Longest query and problem document in the log, in characters. */
export const MAX_QUERY = 2000;
export const MAX_PROBLEM = 4000;
const MAX_DETAIL = 500;
const MAX_ADDRESS = 64;

/** A request of the API, as it waits in memory: what takes time is left to `rowOf`. */
export interface PendingLine {
  storeId: string;
  keyId: string;
  at: number;
  method: string;
  path: string;
  status: number;
  elapsedMs: number;
  requestId: string;
  address: string;
  url: string;
  /** Of a refused request. */
  problem: string | null;
}

/** `body` is that of the response. */
export function pendingLine(
  { store_id: storeId, id: keyId }: KeyCaller,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
  now: number,
): PendingLine {
  const { url = '' } = request.raw;
  const status = reply.statusCode;
  return {
    storeId,
    keyId,
    at: now,
    method: request.method,
    path,
    status,
    elapsedMs: reply.elapsedTime,
    requestId: request.id,
    // From a header, which may be long, if proxies are trusted.
    address: request.ips ? copied(clientAddress(request).slice(0, MAX_ADDRESS)) : request.ip,
    url: url.length > MAX_QUERY ? `?${copied(queryOf(url))}` : url,
    problem: status >= 400 && typeof body === 'string' ? shortened(body) : null,
  };
}

/** Each field is named: objects that are spread take ten times as long. */
export const rowOf = (line: PendingLine): NewRow => ({
  store_id: line.storeId,
  id: uuid(line.at),
  received_at: line.at,
  key_id: line.keyId,
  method: line.method,
  route: line.path.startsWith(API_PREFIX) ? line.path.slice(API_PREFIX.length) : line.path,
  status: line.status,
  code: line.problem === null ? null : (JSON.parse(line.problem) as { code: string }).code,
  duration_ms: Math.round(line.elapsedMs),
  request_id: maskKeys(line.requestId),
  address: line.address,
  query: queryOf(line.url),
  problem: line.problem === null ? null : maskKeys(line.problem),
});

/** What follows the `?`, without keys. */
function queryOf(url: string): string {
  const start = url.indexOf('?');
  const query = start < 0 ? '' : maskKeys(url.slice(start + 1));
  // One that is cut already has one character more.
  return query.length > MAX_QUERY + 1 ? `${query.slice(0, MAX_QUERY)}…` : query;
}

/** The problem document, if it is long with as many of its errors as fit, and the number of the others. */
function shortened(text: string): string {
  if (text.length <= MAX_PROBLEM) return text;
  const { errors = [], ...rest } = JSON.parse(text) as { detail: string; errors?: unknown[] };
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
