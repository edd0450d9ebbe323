import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Event ids kept to recognise duplicates: the service sends one event again for up to 21 hours. */
const KEPT_EVENTS = 10_000;

/**
 * The copy: orders, the bookmark, and the events handled, in one file that is replaced as a whole. In a database
 * these are three tables, and each method is a transaction.
 */
export class Copy {
  #file;
  #orders;
  #events;
  #last = Promise.resolve();

  constructor(file) {
    const kept = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { orders: [], events: [] };
    this.#file = file;
    this.#orders = new Map(kept.orders.map((order) => [order.id, order]));
    this.#events = new Set(kept.events);
    this.bookmark = kept.bookmark;
  }

  get orders() {
    return [...this.#orders.values()].sort((a, b) => a.number - b.number);
  }

  hasEvent(id) {
    return this.#events.has(id);
  }

  /** An order as an event led to it. Order and event id are written together: neither is ever there alone. */
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

  /**
   * One at a time: what is read from the service is written before anything else is read. Otherwise a slow answer
   * with an old state could be written over a new one.
   */
  exclusive(work) {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  #save() {
    const events = [...this.#events].slice(-KEPT_EVENTS);
    writeFileSync(`${this.#file}.new`, JSON.stringify({ bookmark: this.bookmark, events, orders: this.orders }));
    renameSync(`${this.#file}.new`, this.#file);
  }
}
