import type { Services } from '../../services.ts';
import { disabledMails, type MailDisabled } from '../endpoints/endpoint-mails.ts';
import type { Claim } from './claim.ts';
import { type DeliveryScheduler, deliveryScheduler } from './delivery-scheduler.ts';
import type { Rules } from './outcome.ts';
import type { EndpointSettings } from './queue.queries.ts';
import type { FinishedAttempt } from './record-outcomes.ts';
import type { SendOptions } from './send.ts';
import { type DeliverySender, deliverySender } from './send-delivery.ts';

export interface DispatchOptions {
  /** For tests: overrides the name servers, the CA and the timeout. */
  send?: Partial<SendOptions>;
  /** Called after each attempt, for the metrics. */
  observe?: (finished: FinishedAttempt) => void;
  /** Maximum number of attempts in flight, over all stores. */
  maxInFlight?: number;
}

/** Shared by the stages of a dispatcher. */
export interface DispatchState {
  readonly services: Services;
  readonly timeoutMs: number;
  readonly rules: Rules;
  readonly mailDisabled: MailDisabled | undefined;
  readonly scheduler: DeliveryScheduler<Claim>;
  readonly sender: DeliverySender;
  readonly observe: ((finished: FinishedAttempt) => void) | undefined;
  readonly inFlight: Set<Promise<void>>;
  /** Attempts whose outcome is not recorded yet. */
  finished: FinishedAttempt[];
  /** Called after each attempt. */
  onFinished: () => void;
  /** Endpoint settings as of a version of the database. */
  settings: { version: number | undefined; byId: Map<string, EndpointSettings> };
  /** The current round of starts, and the loop that runs rounds until nothing more can start. */
  round: Promise<void>;
  rounds: Promise<void>;
  isStarting: boolean;
  /** No more attempts are started. */
  isClosing: boolean;
}

export function dispatchState(services: Services, options: DispatchOptions): DispatchState {
  const { config } = services;
  const timeoutMs = options.send?.timeoutMs ?? config.WEBHOOK_TIMEOUT;
  return {
    services,
    timeoutMs,
    rules: {
      retryDelays: config.WEBHOOK_RETRY_DELAYS,
      disableFailures: config.WEBHOOK_DISABLE_FAILURES,
      disableAfter: config.WEBHOOK_DISABLE_AFTER,
    },
    mailDisabled: disabledMails(config),
    scheduler: deliveryScheduler<Claim>(options.maxInFlight),
    sender: deliverySender(services, {
      allowInternal: config.WEBHOOK_ALLOW_INTERNAL,
      ...options.send,
      timeoutMs,
    }),
    observe: options.observe,
    inFlight: new Set(),
    finished: [],
    onFinished: () => {},
    settings: { version: undefined, byId: new Map() },
    round: Promise.resolve(),
    rounds: Promise.resolve(),
    isStarting: false,
    isClosing: false,
  };
}
