import type { AttemptError } from '@store-sales/contract/console';
import { AddressNotAllowed } from '../address-guard/guard.ts';
import type { Outcome } from './outcome.ts';

const bySystemCode: [RegExp, AttemptError][] = [
  [/^(ENOTFOUND|EAI_NONAME|EAI_NODATA|EAI_ADDRFAMILY)$/, 'name_not_found'],
  [/^EAI_/, 'dns_failed'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/, 'host_unreachable'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/, 'timeout'],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, 'connection_closed'],
  [/^CERT_HAS_EXPIRED$/, 'certificate_expired'],
  [/^CERT_NOT_YET_VALID$/, 'certificate_not_yet_valid'],
  [/^ERR_TLS_CERT_ALTNAME/, 'certificate_wrong_host'],
  [/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/, 'certificate_self_signed'],
  [/^(UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY_LEAF)/, 'certificate_unknown_authority'],
  [/^(CERT_|CRL_|INVALID_|PATH_LENGTH|HOSTNAME_MISMATCH|ERR_TLS_CERT)/, 'certificate_invalid'],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, 'tls_failed'],
  [/^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES)/, 'invalid_http'],
];

export function outcomeOf(error: AttemptError | null): Outcome['kind'] {
  if (error === null) return 'delivered';
  return error === 'dns_failed' || error === 'secret_unreadable' ? 'unsent' : 'failed';
}

/** The code for a connection or HTTP error. */
export function failureOf(error: unknown): AttemptError {
  if (error instanceof AddressNotAllowed) return 'address_not_allowed';
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') return 'timeout';
  if (name === 'HTTPParserError') return 'invalid_http';
  const known = bySystemCode.find(([pattern]) => pattern.test(String(code ?? '')));
  if (known) return known[1];
  return cause ? failureOf(cause) : 'failed';
}

/** The code for a response status; null for 2xx. */
export function responseFailure(status: number): AttemptError | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? 'redirect' : 'http_status';
}
