import type { Server } from 'node:http';
import type { FastifyReply } from 'fastify';
import { cameIn } from '../newcomers.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';

/** More wait than may: told to come back, before anything was done for it. */
export class Overloaded extends Refusal {
  constructor() {
    super('unavailable', 'The service has more requests than it can serve right now; nothing was changed.');
  }
}

/** One line of the log for all that were turned away in this time. */
const LOG_INTERVAL_MS = 1000;
/** How many are served before the door is looked at again. */
const BATCH = 16;
/** New clients keep those who are in waiting as long as the last batch took to serve, and no longer than this. */
const WELCOME_MS = 50;

/**
 * Lets in as many requests as may wait at once and turns the rest away, so that those who are let in are served soon
 * and memory stays as it is. `limit` clients with one request each are never turned away, on however slow a machine.
 * A request that finds the house quiet costs an addition and a listener.
 */
export function doorkeeper(server: Server, { config, log }: Pick<Services, 'config' | 'log'>) {
  const limit = config.MAX_WAITING_REQUESTS;
  const atTheDoor = welcome(server);
  let waiting = 0;
  let answered = 0;
  let refused = 0;

  // An answered request counts until the event loop has come round: what is answered at once, as a read of the
  // embedded database is, waited with all the others of its round for the processor, and there is no other sign of it.
  function settle() {
    waiting -= answered;
    answered = 0;
  }
  function leave() {
    if (answered++ === 0) setImmediate(settle);
  }
  function refuse(): never {
    if (refused++ === 0)
      setTimeout(() => {
        log.warn({ refused, limit }, 'overloaded: requests were turned away');
        refused = 0;
      }, LOG_INTERVAL_MS).unref();
    throw new Overloaded();
  }

  return function enter(reply: FastifyReply): Promise<void> | undefined {
    if (!limit) return undefined;
    if (waiting >= limit) refuse();
    waiting++;
    // Not "finish": a client that has gone away leaves too.
    reply.raw.once('close', leave);
    return atTheDoor();
  };
}

/**
 * Lets new connections in before anybody is served. The event loop accepts one in each of its rounds and serves
 * everybody in between: on a busy day newcomers would wait in the system's queue, where nobody can tell them anything,
 * and be lost when it is full. (Measured at three times what can be served: 32 s, and not one of them turned away.)
 */
function welcome(server: Server) {
  let isNewcomer = false;
  let servedFrom = 0;
  let welcomeUntil: number | undefined;
  const queue: (() => void)[] = [];
  server.on('connection', () => {
    cameIn();
    isNewcomer = true;
    if (!queue.length) setImmediate(lookOut);
  });

  function lookOut() {
    const now = performance.now();
    welcomeUntil ??= now + Math.min(now - servedFrom, WELCOME_MS);
    const mayMoreCome = isNewcomer && now < welcomeUntil;
    isNewcomer = false;
    if (!mayMoreCome) {
      for (const goOn of queue.splice(0, BATCH)) goOn();
      servedFrom = now;
      welcomeUntil = undefined;
    }
    if (queue.length) setImmediate(lookOut);
    else welcomeUntil = undefined;
  }

  return function turn(): Promise<void> | undefined {
    if (!isNewcomer && !queue.length) return undefined;
    return new Promise((resolve) => queue.push(resolve));
  };
}
