import { forEachStore, type PartialResult } from '../db/cluster/by-store.ts';
import type { Transaction } from '../db/database.ts';
import { type SecretKeys, sealer } from '../secrets.ts';
import type { Services } from '../services.ts';
import { HOUR, MINUTE, SECOND } from '../time/duration.ts';
import { asLanguage, type MailKind, type MailParams } from './kinds.ts';
import { NO_STORE } from './outbox.ts';
import * as queries from './queue.queries.ts';
import { type Rendered, render } from './render.ts';
import { MAX_CONNECTIONS, SEND_TIMEOUT, type SendResult, type SmtpOptions, smtpSender } from './smtp.ts';
import { letterOf } from './templates.ts';

/** Time to record the outcome, and how far the clocks of two nodes may differ. */
const LEASE = SEND_TIMEOUT + MINUTE;
/** Delays before each retry, 28 hours together. */
const RETRY_DELAYS = [
  ...[1, 5, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 4, 8, 12].map((hours) => hours * HOUR),
];
/** Password resets go first, but leave room for others. */
const MAX_ACCOUNT_CLAIMS = MAX_CONNECTIONS / 2;
/** After the server could not be used, doubled each time. */
const FIRST_PAUSE = SECOND;
const MAX_PAUSE = MINUTE;

type Outcome = 'sent' | 'failed' | 'dead';

export interface MailerOptions extends SmtpOptions {
  /** Called after each attempt, for the metrics. */
  observe?: (outcome: Outcome) => void;
}

interface Claim extends queries.MailRow {
  lease: number;
}

interface Finished {
  claim: Claim;
  result: SendResult | { isSent: false; error: 'expired' | 'unreadable'; isPermanent: true; isServerDown: false };
}

/**
 * Claims due mails with a lease, sends them and records the outcomes. A mail that was sent, but whose outcome was not
 * recorded, is sent again with the same Message-ID when its lease has expired.
 */
export function createMailer(services: Services, options: MailerOptions = {}) {
  const { config, db, log, now } = services;
  const sender = smtpSender(config, options);
  const contentOf = contents(config.SECRET_KEY);
  const inFlight = new Set<Promise<void>>();
  let finished: Finished[] = [];
  let onFinished = () => {};
  let isClosing = false;
  /** The store that was served last: the stores take turns, one mail each. */
  let lastStore = NO_STORE;
  let failuresInRow = 0;
  let pausedUntil = 0;

  /**
   * A transaction for each store: while a server of a distributed database is lost, only the mails of its stores wait.
   * What was claimed before an error is sent.
   */
  async function claimDue(free: number, time: number): Promise<PartialResult<Claim>> {
    const results: Claim[] = [];
    let error: unknown;
    const take = async (storeId: string, limit: number) => {
      try {
        // Outside of a transaction, so that an idle mailer writes nothing.
        if (!(await queries.hasDue(db, storeId, time))) return 0;
        const claims = await db.transaction((tx) => claimOf(tx, storeId, limit, time));
        results.push(...claims);
        return claims.length;
      } catch (reason) {
        error ??= reason;
        return 0;
      }
    };
    try {
      await take(NO_STORE, Math.min(free, MAX_ACCOUNT_CLAIMS));
      let last = lastStore;
      for (let isAnyLeft = true; results.length < free; ) {
        const next = await queries.nextStore(db, last, time);
        error ??= next.error;
        if (next.storeId === undefined) {
          // The end of the list: begin again, unless a whole pass found nothing.
          if (last === NO_STORE || !isAnyLeft) break;
          last = NO_STORE;
          isAnyLeft = false;
          continue;
        }
        if (await take(next.storeId, 1)) isAnyLeft = true;
        last = next.storeId;
      }
      lastStore = last;
    } catch (reason) {
      error ??= reason;
    }
    return { results, error };
  }

  async function attempt(claim: Claim) {
    const result = await sendClaim(claim);
    finished.push({ claim, result });
    if (result.isServerDown) {
      pausedUntil = now() + Math.min(FIRST_PAUSE * 2 ** failuresInRow, MAX_PAUSE);
      failuresInRow++;
    } else failuresInRow = 0;
    onFinished();
  }

  async function sendClaim(claim: Claim): Promise<Finished['result'] & { isServerDown?: boolean }> {
    const refused = { isSent: false, isPermanent: true, isServerDown: false } as const;
    if (claim.expires_at !== null && claim.expires_at <= now()) return { ...refused, error: 'expired' };
    let content: Rendered;
    try {
      content = contentOf(claim);
    } catch {
      return { ...refused, error: 'unreadable' };
    }
    return sender.send({ id: claim.id, to: claim.recipient, ...content });
  }

  async function record({ claim, result }: Finished) {
    const time = now();
    const attempts = claim.attempts + 1;
    if (result.isSent) {
      await queries.setSent(db, claim, attempts, time);
      return options.observe?.('sent');
    }
    const { error } = result;
    const ids = { mailId: claim.id, kind: claim.kind, storeId: claim.store_id, error, attempts };
    const delay = result.isPermanent ? undefined : RETRY_DELAYS[attempts - 1];
    if (delay === undefined) {
      await queries.setDead(db, claim, attempts, error, time);
      log.error(ids, 'mail could not be sent');
      return options.observe?.('dead');
    }
    await queries.setRetry(db, claim, attempts, error, time + delay);
    log.warn(ids, 'mail was not sent and will be retried');
    options.observe?.('failed');
  }

  /** What cannot be recorded stays in the list, and is useful as long as its lease lasts. Returns the first error. */
  async function recordFinished(): Promise<unknown> {
    const { error } = await forEachStore(finished, async (each) => {
      await record(each);
      finished = finished.filter((other) => other !== each);
      return [];
    });
    return error;
  }

  /** Records finished mails and starts due ones; returns how many were started. */
  async function cycle(): Promise<number> {
    const recordError = await recordFinished();
    const time = now();
    const free = MAX_CONNECTIONS - inFlight.size;
    // While the server is away, one mail finds out whether it is back.
    const limit = isClosing || time < pausedUntil ? 0 : Math.min(free, failuresInRow ? 1 : free);
    const { results: claims, error = recordError } = limit > 0 ? await claimDue(limit, time) : { results: [] };
    for (const claim of claims) {
      const running = attempt(claim).finally(() => inFlight.delete(running));
      inFlight.add(running);
    }
    if (error) throw error;
    return claims.length;
  }

  return {
    cycle,
    /** Sets the callback for finished mails whose outcome is not recorded yet. */
    onMailFinished(action: () => void) {
      onFinished = action;
    },
    /** Runs cycles until nothing can be sent now and all outcomes are recorded. */
    async idle() {
      for (;;) {
        const started = await cycle();
        if (inFlight.size) await Promise.race(inFlight);
        else if (!started && !finished.length) return;
      }
    },
    stopClaiming() {
      isClosing = true;
    },
    /** Waits for mails in flight, but not longer than this; the others are sent again when their leases have expired. */
    async close(maxWaitMs: number) {
      isClosing = true;
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise((resolve) => {
        timer = setTimeout(resolve, maxWaitMs);
      });
      await Promise.race([Promise.all(inFlight), timeout]);
      clearTimeout(timer);
      const error = await recordFinished();
      sender.close();
      if (error) throw error;
    },
  };
}

export type Mailer = ReturnType<typeof createMailer>;

async function claimOf(tx: Transaction, storeId: string, limit: number, time: number): Promise<Claim[]> {
  const rows = await queries.dueOf(tx, storeId, time, limit);
  const lease = time + LEASE;
  for (const row of rows) await queries.lease(tx, storeId, row.id, lease);
  return rows.map((row) => ({ ...row, lease }));
}

/** The content of a mail from its row; throws if its link is lost or encrypted with a lost key. */
function contents(secretKeys: SecretKeys) {
  const { open } = sealer(secretKeys);
  return ({ kind, language, params, secret }: queries.MailRow): Rendered => {
    if (secret === null) throw new Error('the link was erased');
    const given = JSON.parse(params) as MailParams[MailKind];
    return render(letterOf(kind as MailKind, asLanguage(language), given, open(secret)));
  };
}
