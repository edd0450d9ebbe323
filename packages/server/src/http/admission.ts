import type { Server } from 'node:http';
import { API_PREFIX } from '@store-sales/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../domain-error.ts';
import type { Services } from '../services.ts';
import { acceptConnectionsFirst } from './accept-fairness.ts';
import { clientNetwork } from './client-address.ts';

/** Load shedding: the limit of waiting requests is reached, and this one was not started. */
export class Overloaded extends DomainError {
  constructor() {
    super('unavailable', 'The service is overloaded; nothing was changed.');
  }
}

/** Rejections are logged in one line per interval. */
const LOG_INTERVAL_MS = 1000;
/** Maximum number of cached credentials. */
const MAX_CREDENTIALS = 10_000;
/** Maximum requests of one store, owner or network that are started in one event loop iteration. */
const MAX_PER_ITERATION = 32;

declare module 'fastify' {
  interface FastifyRequest {
    slot: Slot | undefined;
  }
}

/** A request that waits for its response. */
interface Slot {
  group: Group;
  /** A tenant (store or owner), or the network of a client without a valid credential. */
  holder: string;
  isReleased: boolean;
}

/**
 * Limits the number of requests that wait for a response, so that admitted ones are served soon and memory is bounded;
 * see docs/decisions/overload.md. Requests with and without a valid key or session are counted separately, so that the
 * latter cannot use up the capacity of the former. When idle, the overhead is two counters and a listener.
 */
export function admission(server: Server, { config, log }: Pick<Services, 'config' | 'log'>) {
  const limit = config.MAX_WAITING_REQUESTS;
  // One tenant may use the whole limit; a reserve above it is for tenants with few requests.
  const authenticated = new Group(limit, { size: Math.ceil(limit / 4), share: Math.ceil(limit / 8) });
  const anonymous = new Group(limit);
  // Maximum requests of one network that can stall: those whose key is not checked first.
  const networkLimit = Math.ceil(limit / 2);
  const delayForConnections = acceptConnectionsFirst(server);
  const delayForOthers = fairStart();
  /** Tenants by valid credential. Used for counting only, never to authorize. */
  const tenants = new LRUCache<string, string>({ max: MAX_CREDENTIALS });
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

  // A response counts until the next event loop iteration: SQLite produces it synchronously, so the requests of one
  // iteration would otherwise never be counted together.
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
    /** Counts a request. Returns a promise if it has to wait for others. */
    enter(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
      if (!limit) return undefined;
      const tenant = tenants.get(credentialOf(request));
      const slot =
        tenant === undefined
          ? take(anonymous, clientNetwork(request.ip), isKeyCheckedFirst(request) ? limit : networkLimit)
          : take(authenticated, tenant);
      request.slot = slot;
      reply.raw.once('close', () => release(slot));
      return delayForOthers(slot.holder) ?? delayForConnections();
    },

    /** Call it when the key or session is valid: the request then counts for its tenant. */
    identify(request: FastifyRequest, tenant: string) {
      const { slot } = request;
      if (!slot || slot.isReleased || slot.holder === tenant) return;
      tenants.set(credentialOf(request), tenant);
      if (!authenticated.hasRoomFor(tenant)) reject();
      slot.group.remove(slot.holder);
      authenticated.add(tenant);
      slot.group = authenticated;
      slot.holder = tenant;
    },

    /** The response has been produced, whether or not the client reads it. */
    produced: (request: FastifyRequest) => release(request.slot),
  };
}

export type Admission = ReturnType<typeof admission>;

/** The key or the session token. */
function credentialOf({ headers: { authorization, cookie } }: FastifyRequest): string {
  if (authorization) return authorization.trimEnd().split(' ').at(-1) as string;
  return (cookie && /(?:^|; ?)(?:__Host-)?session=([^;]*)/.exec(cookie)?.[1]) || '';
}

const isKeyCheckedFirst = ({ headers, url }: FastifyRequest) =>
  headers.authorization !== undefined && (url.startsWith(API_PREFIX) || url.startsWith('/mcp'));

/** Counts waiting requests, in total and by holder. */
class Group {
  private total = 0;
  private readonly counts = new Map<string, number>();

  constructor(
    private readonly limit: number,
    /** Slots beyond the limit, for holders that have less than their share. */
    private readonly reserve = { size: 0, share: 0 },
  ) {}

  hasRoomFor(holder: string, holderLimit = Number.POSITIVE_INFINITY): boolean {
    const count = this.counts.get(holder) ?? 0;
    if (count >= holderLimit) return false;
    return this.total < this.limit || (this.total < this.limit + this.reserve.size && count < this.reserve.share);
  }

  add(holder: string) {
    this.total++;
    this.counts.set(holder, (this.counts.get(holder) ?? 0) + 1);
  }

  remove(holder: string) {
    const count = this.counts.get(holder) ?? 0;
    this.total--;
    if (count > 1) this.counts.set(holder, count - 1);
    else this.counts.delete(holder);
  }
}

/**
 * Limits the requests of one holder that are started in one event loop iteration, so that requests of others wait for
 * no more than these, however many connections the holder has.
 */
function fairStart() {
  const started = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();

  function nextIteration() {
    started.clear();
    for (const [holder, queue] of waiting) {
      const first = queue.splice(0, MAX_PER_ITERATION);
      if (!queue.length) waiting.delete(holder);
      started.set(holder, first.length);
      for (const start of first) start();
    }
    if (started.size) setImmediate(nextIteration);
  }

  return function delay(holder: string): Promise<void> | undefined {
    if (!started.size) setImmediate(nextIteration);
    const count = (started.get(holder) ?? 0) + 1;
    started.set(holder, count);
    if (count <= MAX_PER_ITERATION) return undefined;
    const queue = waiting.get(holder);
    return new Promise((resolve) => {
      if (queue) queue.push(resolve);
      else waiting.set(holder, [resolve]);
    });
  };
}
