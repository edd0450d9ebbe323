import owasp from '@stoplight/spectral-owasp-ruleset';
import { oas } from '@stoplight/spectral-rulesets';

/** Rules that do not apply, each with the reason. */
const waived = {
  // The contact is the guides of the installation; it has no e-mail address that we know.
  'contact-properties': 'off',
  // The license has its SPDX identifier; OpenAPI 3.1 forbids an address beside it.
  'license-url': 'off',
  // The tags come in the order in which one reads about them.
  'openapi-tags-alphabetical': 'off',
  // There is one server, the installation that serves the document.
  'owasp:api9:2023-inventory-access': 'off',
  // Keys belong on servers: no response allows another origin.
  'owasp:api8:2023-define-cors-origin': 'off',
  // 401, 408 and 431 come before the key is known, and limits are per key.
  'owasp:api4:2023-rate-limit': 'off',
  // Texts that are sent have a limit, unless their format limits them. Those that are returned need none.
  'owasp:api4:2023-string-limit': 'off',
  // Names, notes and addresses are any text.
  'owasp:api4:2023-string-restricted': 'off',
  // Amounts are up to 2^53 - 1, neither int32 nor int64; the schemas of requests have a minimum and a maximum.
  'owasp:api4:2023-integer-format': 'off',
  // Every number that is sent has both limits; counters that are returned have none.
  'owasp:api4:2023-integer-limit': 'off',
  // Lists that are sent have a limit; those that are returned are limited by `limit` and by the store.
  'owasp:api4:2023-array-limit': 'off',
};

export default {
  extends: [
    [oas, 'all'],
    [owasp, 'all'],
  ],
  rules: waived,
};
