/** `pending` waits for its next attempt; `stopped` waited when its endpoint was switched off; `skipped` came after that. */
export const deliveryStatuses = ['pending', 'delivered', 'failed', 'stopped', 'skipped'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** What an operator can set; the schedule of retries is data. */
export interface Rules {
  /** Waits before the attempts after the first, in milliseconds. */
  retryDelays: readonly number[];
  /** An endpoint is switched off after this many failures in a row … */
  disableFailures: number;
  /** … once the first of them is longer ago than this, in milliseconds. */
  disableAfter: number;
}

export interface DeliveryState {
  status: DeliveryStatus;
  /** Made so far, since the delivery was begun or sent again. */
  attempts: number;
  nextAttemptAt: number | null;
}

export interface EndpointState {
  isActive: boolean;
  /** Failed attempts in a row, of whichever delivery. */
  failures: number;
  /** When the first of them ended. */
  failingSince: number | null;
}

export interface Outcome {
  /** When the attempt ended. */
  at: number;
  isSuccess: boolean;
  /** It failed on our side: the delivery is retried, and the endpoint's failures stay as they are. */
  isOwnFailure?: boolean;
}

export interface Settled {
  delivery: DeliveryState;
  endpoint: EndpointState;
  /** A warning on the way to switch-off, or the switch-off itself. */
  notice: 'warning' | 'disabled' | undefined;
}

/** Failures in a row at which the owner is warned, where the switch-off lies further on. */
export const WARNINGS: readonly number[] = [10, 25, 40];

/** What an attempt makes of its delivery and its endpoint. */
export function settle(delivery: DeliveryState, endpoint: EndpointState, outcome: Outcome, rules: Rules): Settled {
  const attempts = delivery.attempts + 1;
  // An endpoint that was switched off meanwhile keeps the figures that led to it.
  if (!endpoint.isActive) return { delivery: ended(attempts, outcome, rules), endpoint, notice: undefined };
  if (outcome.isSuccess)
    return {
      delivery: ended(attempts, outcome, rules),
      endpoint: { isActive: true, failures: 0, failingSince: null },
      notice: undefined,
    };

  const retry = retried(delivery, attempts, outcome, rules.retryDelays);
  if (outcome.isOwnFailure) return { delivery: retry, endpoint, notice: undefined };
  const failures = endpoint.failures + 1;
  const failingSince = endpoint.failingSince ?? outcome.at;
  const isOff = failures >= rules.disableFailures && outcome.at - failingSince > rules.disableAfter;
  const warns = WARNINGS.includes(failures) && failures < rules.disableFailures;
  return {
    delivery: isOff ? ended(attempts, outcome, rules) : retry,
    endpoint: { isActive: !isOff, failures, failingSince },
    notice: isOff ? 'disabled' : warns ? 'warning' : undefined,
  };
}

/** With nowhere left to try: done, out of attempts, or stopped on the way. */
function ended(attempts: number, { isSuccess }: Outcome, rules: Rules): DeliveryState {
  const status = isSuccess ? 'delivered' : attempts > rules.retryDelays.length ? 'failed' : 'stopped';
  return { status, attempts, nextAttemptAt: null };
}

function retried(
  { status }: DeliveryState,
  attempts: number,
  { at }: Outcome,
  delays: readonly number[],
): DeliveryState {
  const delay = delays[attempts - 1];
  if (delay === undefined) return { status: 'failed', attempts, nextAttemptAt: null };
  // Stopped while the attempt was under way, and the endpoint switched on again since: it stays as the owner left it.
  if (status !== 'pending') return { status, attempts, nextAttemptAt: null };
  return { status: 'pending', attempts, nextAttemptAt: at + delay };
}
