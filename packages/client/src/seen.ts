/**
 * Stores the ids of handled events. Delivery is at least once: the same event can arrive again, minutes or hours later,
 * at any of your processes.
 *
 * `remember` is called after the handler has finished. If the process crashes in between, the event is handled again.
 * So make the handler idempotent (reading the order and storing it by id is), or write the event id in the handler's own
 * transaction and let `remember` do nothing.
 */
export interface SeenEvents {
  seen(eventId: string): boolean | Promise<boolean>;
  remember(eventId: string): void | Promise<void>;
}

/** Keeps the latest `limit` ids in memory, until the process exits. */
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
    // A Set keeps insertion order: the first is the oldest.
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest);
      break;
    }
  }
}
