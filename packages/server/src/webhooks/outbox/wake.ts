import { wakeSignal } from '../../queue/wake-signal.ts';

/** New deliveries. */
export const { onWake, wake } = wakeSignal();
