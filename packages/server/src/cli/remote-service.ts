import type { ErrorCode } from '@store-sales/contract';
import { agentKey } from '../config.ts';
import { ConfigError, DomainError } from '../domain-error.ts';

/** Longer than the service takes to reject a request. */
const TIMEOUT_MS = 60_000;

/** The service has refused a request. */
export class RequestRefused extends DomainError {
  constructor(readonly problem: { code: ErrorCode; detail: string }) {
    super(problem.code, problem.detail);
  }
}

/** A service elsewhere, with the key in `STORE_SALES_KEY`. */
export function remoteService(url: string) {
  if (!/^https?:\/\/[^/]/i.test(url) || !URL.canParse(url))
    throw new ConfigError(`--url must be the URL of the service, such as https://sales.example, but is ${url}`);
  const base = url.replace(/\/+$/, '').replace(/\/(mcp|api\/v1)$/, '');
  const authorization = `Bearer ${agentKey()}`;

  /** The body of a successful response; throws `unavailable` if trying again may help. */
  return async function request(path: string, body?: string): Promise<string> {
    const address = base + path;
    const response = await fetch(address, {
      headers: { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { method: 'POST', body }),
      // A redirect means that the URL is wrong; the key is not sent elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error) => {
      throw new DomainError('unavailable', `${base} cannot be reached: ${error.cause?.message ?? error.message}`);
    });
    const text = await response.text();
    if (response.ok) return text;
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
    if (response.status >= 500 || response.status === 429 || !isProblem)
      throw new DomainError('unavailable', `${base} responded with ${response.status}`);
    throw new RequestRefused(JSON.parse(text));
  };
}
