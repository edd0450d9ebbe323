import { wakeSignal } from '../queue/wake-signal.ts';

/** New mails. */
export const { onWake, wake } = wakeSignal();
