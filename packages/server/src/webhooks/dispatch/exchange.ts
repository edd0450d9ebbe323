import type { AttemptError } from '@store-sales/contract/console';
import type { Dispatcher } from 'undici';
import { failureOf, responseFailure } from './failures.ts';

/** Result of an attempt. `error` is null for a 2xx. */
export interface AttemptResponse {
  responseStatus: number | null;
  error: AttemptError | null;
  /** The first 4 KiB, without NUL characters, which PostgreSQL cannot store. */
  responseBody: string;
  durationMs: number;
}

const MAX_READ_BYTES = 64 * 1024;
const STORED_BYTES = 4 * 1024;

/**
 * One request and its response, using undici's dispatch handler: the response stream of its request API would add a
 * third to the cost. One timeout covers the whole exchange, including the DNS lookup.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly response: Promise<AttemptResponse>;
  private readonly started: number;
  private readonly timer: NodeJS.Timeout;
  private readonly chunks: Buffer[] = [];
  private read = 0;
  private status: number | null = null;
  private controller: Dispatcher.DispatchController | undefined;
  private isFinished = false;
  private resolve!: (response: AttemptResponse) => void;

  /** `clock` is monotonic, in milliseconds. */
  constructor(
    timeoutMs: number,
    private readonly clock = () => performance.now(),
  ) {
    this.started = clock();
    this.response = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.timer = setTimeout(() => this.abort('timeout'), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.controller = controller;
    // Timed out before the connection was established: do not send the request.
    if (this.isFinished) controller.abort(new Error('timed out'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number) {
    // 1xx is informational.
    if (status >= 200) this.status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer) {
    if (this.read < STORED_BYTES) this.chunks.push(Buffer.from(chunk.subarray(0, STORED_BYTES - this.read)));
    this.read += chunk.length;
    // A longer body does not change the outcome; stop reading.
    if (this.read >= MAX_READ_BYTES && this.status !== null) this.abort(responseFailure(this.status));
  }

  onResponseEnd() {
    this.finish(this.status === null ? 'connection_closed' : responseFailure(this.status));
  }

  /** Also after a 2xx status: a truncated response is a failure. */
  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error) {
    this.finish(failureOf(error));
  }

  private abort(error: AttemptError | null) {
    this.finish(error);
    this.controller?.abort(new Error('exchange finished'));
  }

  private finish(error: AttemptError | null) {
    if (this.isFinished) return;
    this.isFinished = true;
    clearTimeout(this.timer);
    const response: AttemptResponse = {
      responseStatus: this.status,
      error,
      responseBody: Buffer.concat(this.chunks).toString('utf8').replaceAll('\0', ''),
      durationMs: Math.round(this.clock() - this.started),
    };
    // undici frees the connection one event-loop iteration after the response; sending earlier would open another one.
    process.nextTick(setImmediate, this.resolve, response);
  }
}
