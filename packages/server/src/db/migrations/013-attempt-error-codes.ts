const codes: Record<string, string> = {
  'address not allowed': 'address_not_allowed',
  'name not found': 'name_not_found',
  'name could not be looked up': 'dns_failed',
  'connection refused': 'connection_refused',
  'host not reachable': 'host_unreachable',
  'connection broken off': 'connection_closed',
  'certificate expired': 'certificate_expired',
  'certificate not yet valid': 'certificate_not_yet_valid',
  'certificate for another name': 'certificate_wrong_host',
  'certificate self-signed': 'certificate_self_signed',
  'certificate of an unknown authority': 'certificate_unknown_authority',
  'certificate not valid': 'certificate_invalid',
  'no secure connection': 'tls_failed',
  'answer is not HTTP': 'invalid_http',
  'timed out': 'timeout',
  'signing secret cannot be read': 'secret_unreadable',
};

/** The errors of webhook attempts become codes. Every earlier text has a space in it, and no code does. */
export const attemptErrorCodes = {
  name: 'attempt-error-codes',
  batch() {
    const cases = Object.entries(codes).map(([text, code]) => `when error = '${text}' then '${code}'`);
    return {
      table: 'attempts',
      primaryKey: ['store_id', 'delivery_id', 'id'],
      set: `error = case when error like 'answered %' then 'http_status' when error like 'redirected %' then 'redirect'
                         ${cases.join(' ')} else 'failed' end`,
      isPending: "error like '% %'",
    };
  },
};
