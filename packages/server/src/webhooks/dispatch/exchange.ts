import type { Dispatcher } from 'undici';
import { answerFailure, failureOf, failures } from './failures.ts';

/** What came of an attempt. `error` is null for a 2xx and words for the owner otherwise. */
export interface Answer {
  responseStatus: number | null;
  error: string | null;
  /** The first 4 KiB, as text that can be stored. */
  responseBody: string;
  durationMs: number;
}

const READ_LIMIT = 64 * 1024;
const KEEP_LIMIT = 4 * 1024;

/**
 * One request and its answer, heard from the client's own events: a stream for each answer, as the client would
 * make it, costs a third of the exchange. One time-out lies over all of it, from the look-up of the name on.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  private readonly started = performance.now();
  private readonly timer: NodeJS.Timeout;
  private readonly kept: Buffer[] = [];
  private read = 0;
  private status: number | null = null;
  private controller: Dispatcher.DispatchController | undefined;
  private isOver = false;
  private resolve!: (answer: Answer) => void;

  constructor(timeoutMs: number) {
    this.answer = new Promise((resolve) => {
      this.resolve = resolve;
    });
    this.timer = setTimeout(() => this.abort(failures.timedOut), timeoutMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController) {
    this.controller = controller;
    // Timed out before there was a connection: nothing may be sent any more.
    if (this.isOver) controller.abort(new Error('too late'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number) {
    // Below 200 it is only news that an answer will come.
    if (status >= 200) this.status = status;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer) {
    if (this.read < KEEP_LIMIT) this.kept.push(Buffer.from(chunk.subarray(0, KEEP_LIMIT - this.read)));
    this.read += chunk.length;
    // Whoever sends more has answered all the same.
    if (this.read >= READ_LIMIT && this.status !== null) this.abort(answerFailure(this.status));
  }

  onResponseEnd() {
    this.finish(this.status === null ? failures.broken : answerFailure(this.status));
  }

  /** Also after a 2xx: an answer that breaks off is not one. */
  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error) {
    this.finish(failureOf(error));
  }

  private abort(error: string | null) {
    this.finish(error);
    this.controller?.abort(new Error('no more of it is wanted'));
  }

  private finish(error: string | null) {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    const answer: Answer = {
      responseStatus: this.status,
      error,
      responseBody: Buffer.concat(this.kept).toString('utf8').replaceAll('\0', ''),
      durationMs: Math.round(performance.now() - this.started),
    };
    // The client frees a connection a turn of the event loop after its answer; who sends sooner opens another.
    process.nextTick(setImmediate, this.resolve, answer);
  }
}
