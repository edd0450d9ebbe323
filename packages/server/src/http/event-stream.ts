import { Readable } from 'node:stream';

/** Server-sent events. Its response counts as produced from the start: it waits for changes, not for the server. */
export class EventStream extends Readable {
  /** `reconnectMs`: how long the browser waits before it reconnects. */
  constructor(reconnectMs: number) {
    super();
    this.push(`retry: ${reconnectMs}\n\n`);
  }

  override _read() {}

  send(data: string) {
    if (!this.readableEnded && !this.destroyed) this.push(`data: ${data}\n\n`);
  }

  end() {
    if (!this.readableEnded && !this.destroyed) this.push(null);
  }
}
