import { AddressNotAllowed } from './guard.ts';

/** Why an attempt failed, shown to the store owner. The texts are fixed: the console translates them. */
export const failures = {
  address: 'address not allowed',
  noName: 'name not found',
  noNameServer: 'name could not be looked up',
  refused: 'connection refused',
  unreachable: 'host not reachable',
  broken: 'connection broken off',
  expired: 'certificate expired',
  notYetValid: 'certificate not yet valid',
  otherName: 'certificate for another name',
  selfSigned: 'certificate self-signed',
  unknownAuthority: 'certificate of an unknown authority',
  badCertificate: 'certificate not valid',
  noTls: 'no secure connection',
  notHttp: 'answer is not HTTP',
  timedOut: 'timed out',
  noSecret: 'signing secret cannot be read',
  other: 'could not be sent',
} as const;

const byCode: [RegExp, string][] = [
  [/^(ENOTFOUND|EAI_NONAME|EAI_NODATA|EAI_ADDRFAMILY)$/, failures.noName],
  [/^EAI_/, failures.noNameServer],
  [/^ECONNREFUSED$/, failures.refused],
  [/^(EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM)$/, failures.unreachable],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|UND_ERR_HEADERS_TIMEOUT|UND_ERR_BODY_TIMEOUT)$/, failures.timedOut],
  [/^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/, failures.broken],
  [/^CERT_HAS_EXPIRED$/, failures.expired],
  [/^CERT_NOT_YET_VALID$/, failures.notYetValid],
  [/^ERR_TLS_CERT_ALTNAME/, failures.otherName],
  [/^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/, failures.selfSigned],
  [/^(UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY_LEAF)/, failures.unknownAuthority],
  [/^(CERT_|CRL_|INVALID_|PATH_LENGTH|HOSTNAME_MISMATCH|ERR_TLS_CERT)/, failures.badCertificate],
  [/^(EPROTO|ERR_SSL_|ERR_TLS_)/, failures.noTls],
  [/^(UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES)/, failures.notHttp],
];

/** Failed on our side before the receiver was contacted, so it does not count against the endpoint. */
export const isOwnFailure = (failure: string | null) =>
  failure === failures.noNameServer || failure === failures.noSecret;

/** The failure text for a connection or HTTP error. */
export function failureOf(error: unknown): string {
  if (error instanceof AddressNotAllowed) return failures.address;
  const { name, code, cause } = error as { name?: string; code?: unknown; cause?: unknown };
  if (name === 'TimeoutError' || name === 'AbortError') return failures.timedOut;
  if (name === 'HTTPParserError') return failures.notHttp;
  const known = byCode.find(([pattern]) => pattern.test(String(code ?? '')));
  if (known) return known[1];
  return cause ? failureOf(cause) : failures.other;
}

/** The failure text for a response status; null for 2xx. */
export function responseFailure(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `redirected (${status})` : `answered ${status}`;
}
