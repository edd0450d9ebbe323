import type { Dispatcher } from 'undici';
import { failureOf, failures, responseFailure } from './failures.ts';

/** Result of an attempt. `error` is null for a 2xx, otherwise a text for the owner. */
export interface AttemptResponse {
  responseStatus: number | null;
  error: string | null;
  /** The first 4 KiB, without NUL characters, which PostgreSQL cannot store. */
  responseBody: string;
  durationMs: number;
}

const READ_LIMIT = 64 * 1024;
const KEEP_LIMIT = 4 * 1024;

/**
 * One request and its response, using undici's dispatch handler: the response stream of its request API would add a
 * third to the cost. One timeout covers the whole exchange, including the DNS lookup.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<AttemptResponse>;
  private readonly started = performance.now();
  private readonly timer: NodeJS.Timeout;
  private readonly kept: Buffer[] = [];
  private read = 0;
  private status: number | null = null;
  private controller: Dispatcher.DispatchController | undefined;
  private isOver = false;
  private resolve!: (response: AttemptResponse) => void;

  constructor(timeoutMs: number) {
    this.response = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.timer = setTimeout(() => this.abort(failures.timedOut), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.controller = controller;
    // Timed out before the connection was established: do not send the request.
    if (this.isOver) controller.abort(new Error('timed out'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number) {
    // 1xx is informational.
    if (status >= 200) this.status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer) {
    if (this.read < KEEP_LIMIT) this.kept.push(Buffer.from(chunk.subarray(0, KEEP_LIMIT - this.read)));
    this.read += chunk.length;
    // A longer body does not change the outcome; stop reading.
    if (this.read >= READ_LIMIT && this.status !== null) this.abort(responseFailure(this.status));
  }

  onResponseEnd() {
    this.finish(this.status === null ? failures.broken : responseFailure(this.status));
  }

  /** Also after a 2xx status: a truncated response is a failure. */
  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error) {
    this.finish(failureOf(error));
  }

  private abort(error: string | null) {
    this.finish(error);
    this.controller?.abort(new Error('exchange finished'));
  }

  private finish(error: string | null) {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    const response: AttemptResponse = {
      responseStatus: this.status,
      error,
      responseBody: Buffer.concat(this.kept).toString('utf8').replaceAll('\0', ''),
      durationMs: Math.round(performance.now() - this.started),
    };
    // undici frees the connection one event-loop iteration after the response; sending earlier would open another one.
    process.nextTick(setImmediate, this.resolve, response);
  }
}
