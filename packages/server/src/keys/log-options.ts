import { pino } from 'pino';
import { maskKeys } from './secret.ts';

/** Of the service's log. A request id is the caller's text, which may be a key by mistake. */
export const logOptions = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { requestId: maskKeys },
};
