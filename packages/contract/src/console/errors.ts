/**
 * What only the console's own API answers with, beside the codes of the public one. Kept apart, so that the
 * public contract names nothing that an integrator can never meet.
 */
export const consoleErrorCodes = {
  signed_out: { status: 401, title: 'Nobody is signed in' },
  wrong_credentials: { status: 401, title: 'E-mail and password do not match' },
  wrong_password: { status: 403, title: 'The present password is not right' },
  wrong_setup_token: { status: 403, title: 'The set-up link is not valid' },
  cross_site: { status: 403, title: 'The request came from another site' },
  category_has_categories: { status: 409, title: 'Other categories stand in this one' },
  category_has_products: { status: 409, title: 'Products stand in this category' },
  import_stopped: { status: 400, title: 'The import was stopped before its end' },
  too_many_imports: { status: 429, title: 'Too many imports at once' },
  too_many_attempts: { status: 429, title: 'Too many attempts to sign in' },
} as const;

export type ConsoleErrorCode = keyof typeof consoleErrorCodes;

/** What can be wrong with a field of the console's forms, beside the public codes of faults. */
export type ConsoleFaultCode = 'taken' | 'circular';
