import type { Server } from 'node:http';
import { API_PREFIX } from '@store-sales/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { connectionAccepted } from '../accept-fairness.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import { clientNetwork } from './client-address.ts';

/** Load shedding: more requests wait than may. Nothing was done for this one. */
export class Overloaded extends Refusal {
  constructor() {
    super('unavailable', 'The service has more requests than it can serve right now; nothing was changed.');
  }
}

/** Rejections are logged in one line for each of these intervals. */
const LOG_INTERVAL_MS = 1000;
/** Credentials that are remembered as valid. */
const MAX_CREDENTIALS = 10_000;
/** Requests of one store, owner or network that are started in one round of the event loop. */
const MAX_PER_ROUND = 32;
/** Requests handled between two looks at new connections. */
const BATCH = 16;
/** Longest delay for requests in flight while new connections are accepted. */
const MAX_ACCEPT_MS = 50;

declare module 'fastify' {
  interface FastifyRequest {
    slot: Slot | undefined;
  }
}

/** A request that waits for its response, and whom it is counted for. */
interface Slot {
  group: Group;
  /** A tenant (store or owner), or the network of a client without a valid credential. */
  holder: string;
  isReleased: boolean;
}

/**
 * Limits the requests that wait for a response at once, so that those admitted are served soon and memory stays
 * bounded; see docs/decisions/overload.md. Customers, whose key or session was valid, and strangers are counted apart,
 * so that strangers cannot use up the capacity of customers. When idle, the overhead is two counters and a listener.
 */
export function admission(server: Server, { config, log }: Pick<Services, 'config' | 'log'>) {
  const limit = config.MAX_WAITING_REQUESTS;
  // One tenant alone may use the whole limit; beyond it a reserve is left for tenants that use little.
  const customers = new Group(limit, { size: Math.ceil(limit / 4), share: Math.ceil(limit / 8) });
  const strangers = new Group(limit);
  // What one network may occupy with requests that can stall: those whose key is not checked first.
  const networkLimit = Math.ceil(limit / 2);
  const delayForConnections = acceptConnectionsFirst(server);
  const delayForOthers = fairRounds();
  /** Tenants by the credential that was last seen valid for them. Used for counting only, never to authorize. */
  const tenants = new Map<string, string>();
  let released: Slot[] = [];
  let rejected = 0;

  function reject(): never {
    if (rejected++ === 0)
      setTimeout(() => {
        log.warn({ rejected, limit }, 'overloaded: requests were rejected');
        rejected = 0;
      }, LOG_INTERVAL_MS).unref();
    throw new Overloaded();
  }

  function take(group: Group, holder: string, holderLimit = Number.POSITIVE_INFINITY): Slot {
    if (!group.hasRoomFor(holder, holderLimit)) reject();
    group.add(holder);
    return { group, holder, isReleased: false };
  }

  // A response counts until the event loop has come round: on the embedded database it is produced at once, and there
  // is no other sign that it waited with all the others of its round for the processor.
  function release(slot: Slot | undefined) {
    if (!slot || slot.isReleased) return;
    slot.isReleased = true;
    if (released.push(slot) === 1) setImmediate(freeReleased);
  }
  function freeReleased() {
    for (const { group, holder } of released) group.remove(holder);
    released = [];
  }

  return {
    /** Counts a request. Returns a promise where others go first. */
    enter(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
      if (!limit) return undefined;
      const tenant = tenants.get(credentialOf(request));
      const slot =
        tenant === undefined
          ? take(strangers, clientNetwork(request.ip), isKeyCheckedFirst(request) ? limit : networkLimit)
          : take(customers, tenant);
      request.slot = slot;
      reply.raw.once('close', () => release(slot));
      return delayForOthers(slot.holder) ?? delayForConnections();
    },

    /** The request's key or session is valid: from now on it counts for its tenant. */
    identify(request: FastifyRequest, tenant: string) {
      const { slot } = request;
      if (!slot || slot.isReleased || slot.holder === tenant) return;
      if (tenants.size >= MAX_CREDENTIALS) tenants.delete(tenants.keys().next().value as string);
      tenants.set(credentialOf(request), tenant);
      if (!customers.hasRoomFor(tenant)) reject();
      slot.group.remove(slot.holder);
      customers.add(tenant);
      slot.group = customers;
      slot.holder = tenant;
    },

    /** The response has been produced, whether or not the client reads it. */
    produced: (request: FastifyRequest) => release(request.slot),
  };
}

export type Admission = ReturnType<typeof admission>;

/** The key or the session's token, without what a client may write around it. */
function credentialOf({ headers: { authorization, cookie } }: FastifyRequest): string {
  if (authorization) return authorization.trimEnd().split(' ').at(-1) as string;
  return (cookie && /(?:^|; ?)(?:__Host-)?session=([^;]*)/.exec(cookie)?.[1]) || '';
}

const isKeyCheckedFirst = ({ headers, url }: FastifyRequest) =>
  headers.authorization !== undefined && url.startsWith(API_PREFIX);

/** Requests that wait, in all and by holder. */
class Group {
  private total = 0;
  private readonly held = new Map<string, number>();

  constructor(
    private readonly limit: number,
    /** Slots beyond the limit, for holders that have less than their share. */
    private readonly reserve = { size: 0, share: 0 },
  ) {}

  hasRoomFor(holder: string, holderLimit = Number.POSITIVE_INFINITY): boolean {
    const held = this.held.get(holder) ?? 0;
    if (held >= holderLimit) return false;
    return this.total < this.limit || (this.total < this.limit + this.reserve.size && held < this.reserve.share);
  }

  add(holder: string) {
    this.total++;
    this.held.set(holder, (this.held.get(holder) ?? 0) + 1);
  }

  remove(holder: string) {
    const held = this.held.get(holder) ?? 0;
    this.total--;
    if (held > 1) this.held.set(holder, held - 1);
    else this.held.delete(holder);
  }
}

/**
 * Starts at most so many requests of one holder in a round of the event loop, so that what others send in between waits
 * for no more than these, however many connections the holder has.
 */
function fairRounds() {
  const started = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();

  function nextRound() {
    started.clear();
    for (const [holder, queue] of waiting) {
      const first = queue.splice(0, MAX_PER_ROUND);
      if (!queue.length) waiting.delete(holder);
      started.set(holder, first.length);
      for (const start of first) start();
    }
    if (started.size) setImmediate(nextRound);
  }

  return function delay(holder: string): Promise<void> | undefined {
    if (!started.size) setImmediate(nextRound);
    const count = (started.get(holder) ?? 0) + 1;
    started.set(holder, count);
    if (count <= MAX_PER_ROUND) return undefined;
    const queue = waiting.get(holder);
    return new Promise((resolve) => {
      if (queue) queue.push(resolve);
      else waiting.set(holder, [resolve]);
    });
  };
}

/**
 * Accepts new connections before requests are handled. The event loop accepts one connection in each of its rounds and
 * handles every request in between, so that under load new clients would wait in the system's queue, unseen by the
 * limit. (Measured at three times the capacity: up to 32 s, and nobody rejected.)
 */
function acceptConnectionsFirst(server: Server) {
  let wasAccepted = false;
  let handledFrom = 0;
  let acceptUntil: number | undefined;
  const queue: (() => void)[] = [];
  server.on('connection', () => {
    connectionAccepted();
    wasAccepted = true;
    if (!queue.length) setImmediate(handleBatch);
  });

  function handleBatch() {
    const now = performance.now();
    acceptUntil ??= now + Math.min(now - handledFrom, MAX_ACCEPT_MS);
    const mayMoreCome = wasAccepted && now < acceptUntil;
    wasAccepted = false;
    if (!mayMoreCome) {
      for (const handle of queue.splice(0, BATCH)) handle();
      handledFrom = now;
      acceptUntil = undefined;
    }
    if (queue.length) setImmediate(handleBatch);
    else acceptUntil = undefined;
  }

  return function delay(): Promise<void> | undefined {
    if (!wasAccepted && !queue.length) return undefined;
    return new Promise((resolve) => queue.push(resolve));
  };
}
