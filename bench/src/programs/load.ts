/**
 * Asks one thing after another over so many kept-alive connections, from a process of its own. As lean as it can be:
 * every cycle it takes is one that the service on the same machine does not get.
 */
import { connect } from 'node:net';
import { answerParent } from './answer.ts';
import { stopwatch } from './stopwatch.ts';

export interface Load {
  port: number;
  connections: number;
  /** Whole requests, as they go over the wire; taken in turn, from the beginning again after the last. */
  requests: string[];
  seconds: number;
  /** Requests a second in all; as fast as answers come when left out. */
  pace?: number;
}

export interface Loaded {
  perSecond: number;
  failures: number;
  p50: number;
  p99: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

answerParent(async ({ port, connections, requests, seconds, pace }: Load): Promise<Loaded> => {
  const wire = requests.map((request) => Buffer.from(request));
  const times: number[] = [];
  let [serial, failures] = [0, 0];
  const start = performance.now();
  const taken = stopwatch();
  const end = start + seconds * 1000;

  const worker = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let sentAt = 0;
      let missing = -1;
      let head: Buffer = Buffer.alloc(0);
      let turn = index;
      const send = () => {
        if (performance.now() >= end) return void socket.end();
        missing = -1;
        sentAt = performance.now();
        socket.write(wire[serial++ % wire.length] as Buffer);
      };
      /** At once, or when the pace has come to it: the first ones too, which would be a burst otherwise. */
      const next = () => {
        if (!pace) return send();
        const wait = start + (turn / pace) * 1000 - performance.now();
        turn += connections;
        if (wait > 1) setTimeout(send, wait);
        else send();
      };
      socket.on('connect', next);
      socket.on('data', (data: Buffer) => {
        if (missing < 0) {
          head = head.length ? Buffer.concat([head, data]) : data;
          const at = head.indexOf(HEAD_END);
          if (at < 0) return;
          const text = head.toString('latin1', 0, at);
          const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
          if (text.charCodeAt(9) !== 50) failures++;
          missing = length - (head.length - at - 4);
          head = Buffer.alloc(0);
        } else missing -= data.length;
        if (missing > 0) return;
        times.push(performance.now() - sentAt);
        next();
      });
      socket.on('close', resolve);
      socket.on('error', reject);
    });

  await Promise.all(Array.from({ length: connections }, (_, index) => worker(index)));
  const sorted = Float64Array.from(times).sort();
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { perSecond: times.length / taken(), failures, p50: at(0.5), p99: at(0.99) };
});
