/**
 * Remembers which events were handled. Deliveries are at least once: the same event can come again, minutes or hours
 * later, to any of your processes.
 *
 * `remember` is called after the handler has finished. If the process dies between the two, the event comes again
 * and is handled again: make the handler one that can be repeated (reading the order and storing it under its id
 * is), or let the handler itself remember the id in the transaction of its own work and give a `remember` that does
 * nothing.
 */
export interface SeenEvents {
  seen(eventId: string): boolean | Promise<boolean>;
  remember(eventId: string): void | Promise<void>;
}

/** In the memory of this process, the latest `limit` of them. Forgotten on a restart: see SeenEvents. */
export class SeenInMemory implements SeenEvents {
  readonly #ids = new Set<string>();
  readonly #limit: number;

  constructor(limit = 10_000) {
    this.#limit = limit;
  }

  seen(eventId: string): boolean {
    return this.#ids.has(eventId);
  }

  remember(eventId: string): void {
    this.#ids.add(eventId);
    if (this.#ids.size <= this.#limit) return;
    // A Set keeps the order of insertion: the first is the oldest.
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      break;
    }
  }
}
