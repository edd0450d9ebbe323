import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Event ids kept to detect duplicates; the service retries an event for up to 21 hours. */
const MAX_EVENT_IDS = 10_000;

/**
 * Orders, the bookmark and the ids of handled events, in one file that is replaced atomically. In a database these are
 * three tables, and each method is a transaction.
 */
export class Copy {
  #file;
  #orders;
  #events;
  #last = Promise.resolve();

  constructor(file) {
    const saved = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { orders: [], events: [] };
    this.#file = file;
    this.#orders = new Map(saved.orders.map((order) => [order.id, order]));
    this.#events = new Set(saved.events);
    this.bookmark = saved.bookmark;
  }

  get orders() {
    return [...this.#orders.values()].sort((a, b) => a.number - b.number);
  }

  hasEvent(id) {
    return this.#events.has(id);
  }

  /** Writes the order and the event id together, so that a crash cannot separate them. */
  putFromEvent(order, eventId) {
    this.#orders.set(order.id, order);
    this.#events.add(eventId);
    this.#save();
  }

  putFromSync(orders, bookmark) {
    for (const order of orders) this.#orders.set(order.id, order);
    this.bookmark = bookmark;
    this.#save();
  }

  /** Runs one task at a time. Otherwise a slow response with an old state could overwrite a newer one. */
  exclusive(task) {
    const result = this.#last.then(task);
    this.#last = result.catch(() => {});
    return result;
  }

  #save() {
    const events = [...this.#events].slice(-MAX_EVENT_IDS);
    writeFileSync(`${this.#file}.new`, JSON.stringify({ bookmark: this.bookmark, events, orders: this.orders }));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
