import type { DeliveryStatus } from '@store-sales/contract/console';

/** Configured by the operator. */
export interface Rules {
  /** Delays before each retry, in milliseconds. */
  retryDelays: readonly number[];
  /** An endpoint is disabled after this many failures in a row … */
  disableFailures: number;
  /** … once the first of them is longer ago than this, in milliseconds. */
  disableAfter: number;
}

export interface DeliveryState {
  status: DeliveryStatus;
  /** Attempts since the delivery was created or last resent. */
  attempts: number;
  nextAttemptAt: number | null;
}

export interface EndpointState {
  isActive: boolean;
  /** Consecutive failed attempts, over all deliveries. */
  failures: number;
  /** When the first of them ended. */
  failingSince: number | null;
}

/** What became of an attempt, and when it ended. */
export type Outcome =
  | { kind: 'delivered'; at: number }
  /** The endpoint's failures are counted up. */
  | { kind: 'failed'; at: number }
  /** Failed on our side before the receiver was contacted: only the delivery is retried. */
  | { kind: 'unsent'; at: number };

export interface AppliedOutcome {
  delivery: DeliveryState;
  endpoint: EndpointState;
  /** A warning before the endpoint is disabled, or that it was disabled. */
  notice: 'warning' | 'disabled' | undefined;
}

/** Consecutive failures at which the owner is warned, if below `disableFailures`. */
export const WARNINGS: readonly number[] = [10, 25, 40];

/** Computes the new state of a delivery and its endpoint after an attempt. */
export function applyOutcome(
  delivery: DeliveryState,
  endpoint: EndpointState,
  outcome: Outcome,
  rules: Rules,
): AppliedOutcome {
  const attempts = delivery.attempts + 1;
  // Disabled during the attempt: keep the failure figures that led to it.
  if (!endpoint.isActive) return { delivery: finalState(attempts, outcome, rules), endpoint, notice: undefined };
  if (outcome.kind === 'delivered')
    return {
      delivery: finalState(attempts, outcome, rules),
      endpoint: { isActive: true, failures: 0, failingSince: null },
      notice: undefined,
    };

  const retry = retryState(delivery, attempts, outcome, rules.retryDelays);
  if (outcome.kind === 'unsent') return { delivery: retry, endpoint, notice: undefined };
  const failures = endpoint.failures + 1;
  const failingSince = endpoint.failingSince ?? outcome.at;
  const isOff = failures >= rules.disableFailures && outcome.at - failingSince > rules.disableAfter;
  const isWarning = WARNINGS.includes(failures) && failures < rules.disableFailures;
  return {
    delivery: isOff ? finalState(attempts, outcome, rules) : retry,
    endpoint: { isActive: !isOff, failures, failingSince },
    notice: isOff ? 'disabled' : isWarning ? 'warning' : undefined,
  };
}

/** Final state of a delivery without further attempts. */
function finalState(attempts: number, { kind }: Outcome, rules: Rules): DeliveryState {
  const status = kind === 'delivered' ? kind : attempts > rules.retryDelays.length ? 'failed' : 'stopped';
  return { status, attempts, nextAttemptAt: null };
}

function retryState(
  { status }: DeliveryState,
  attempts: number,
  { at }: Outcome,
  delays: readonly number[],
): DeliveryState {
  const delay = delays[attempts - 1];
  if (delay === undefined) return { status: 'failed', attempts, nextAttemptAt: null };
  // Stopped during the attempt, and the endpoint was enabled again since: keep the status.
  if (status !== 'pending') return { status, attempts, nextAttemptAt: null };
  return { status: 'pending', attempts, nextAttemptAt: at + delay };
}
