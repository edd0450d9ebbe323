import { LongResponse, type LongWork } from './long-work.ts';

/**
 * Server-sent events. Its response counts as produced from the start: it waits for changes, not for the server. Whoever
 * sends them ends it when its caller loses access.
 */
export class EventStream extends LongResponse {
  /** `reconnectMs`: how long the browser waits before it reconnects. */
  constructor(work: LongWork, reconnectMs: number) {
    super(work);
    this.push(`retry: ${reconnectMs}\n\n`);
  }

  send(data: string) {
    if (!this.readableEnded && !this.destroyed) this.push(`data: ${data}\n\n`);
  }

  end() {
    if (!this.readableEnded && !this.destroyed) this.push(null);
  }
}
