import { pino } from 'pino';
import { maskKeys } from './secret.ts';

/** Of the service's log. A request id is the caller's text, which may be a key by mistake. */
export const logOptions = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { requestId: maskKeys, err: loggedError },
};

/** The fields of an error that never contain data. PostgreSQL's `detail` and `where` have the row, `parameters` values. */
const SAFE_FIELDS = ['code', 'errno', 'syscall', 'address', 'port', 'table', 'column', 'constraint'];

function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { errors, cause } = error as { errors?: unknown; cause?: unknown };
  const fields = Object.entries(error).filter(([name]) => SAFE_FIELDS.includes(name));
  return {
    type: error.constructor.name,
    message: withoutValue(error, error.message),
    stack: withoutValue(error, error.stack ?? ''),
    ...Object.fromEntries(fields),
    ...(cause !== undefined && { cause: loggedError(cause) }),
    ...(Array.isArray(errors) && { errors: errors.map(loggedError) }),
  };
}

/** The messages of PostgreSQL's data exceptions (class 22) quote the value. */
const withoutValue = (error: object, text: string) =>
  'code' in error && /^22\w{3}$/.test(String(error.code)) ? text.replace(/: ".*"/s, ': …') : text;
