/**
 * Load generator over keep-alive connections. It uses raw sockets to save CPU time, which the service on the same
 * machine needs.
 */
import { connect } from 'node:net';
import { percentile } from '../stats.ts';
import { handleMessages } from './handle-messages.ts';
import { stopwatch } from './stopwatch.ts';

export interface LoadOptions {
  port: number;
  connections: number;
  /** Raw HTTP requests, sent round-robin. */
  requests: string[];
  seconds: number;
  /** Total requests per second; unlimited by default. */
  rate?: number;
}

export interface LoadResult {
  perSecond: number;
  failures: number;
  p50: number;
  p99: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');

handleMessages(async ({ port, connections, requests, seconds, rate }: LoadOptions): Promise<LoadResult> => {
  const buffers = requests.map((request) => Buffer.from(request));
  const times: number[] = [];
  let [serial, failures] = [0, 0];
  const start = performance.now();
  const elapsed = stopwatch();
  const end = start + seconds * 1000;

  const worker = (index: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      let sentAt = 0;
      let bytesLeft = -1;
      let head: Buffer = Buffer.alloc(0);
      let requestIndex = index;
      const send = () => {
        if (performance.now() >= end) return void socket.end();
        bytesLeft = -1;
        sentAt = performance.now();
        socket.write(buffers[serial++ % buffers.length] as Buffer);
      };
      // The first requests are spread too; otherwise they would be a burst.
      const next = () => {
        if (!rate) return send();
        const wait = start + (requestIndex / rate) * 1000 - performance.now();
        requestIndex += connections;
        if (wait > 1) setTimeout(send, wait);
        else send();
      };
      socket.on('connect', next);
      socket.on('data', (data: Buffer) => {
        if (bytesLeft < 0) {
          head = head.length ? Buffer.concat([head, data]) : data;
          const at = head.indexOf(HEAD_END);
          if (at < 0) return;
          const text = head.toString('latin1', 0, at);
          const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
          if (text.charCodeAt(9) !== 50) failures++;
          bytesLeft = length - (head.length - at - 4);
          head = Buffer.alloc(0);
        } else bytesLeft -= data.length;
        if (bytesLeft > 0) return;
        times.push(performance.now() - sentAt);
        next();
      });
      socket.on('close', resolve);
      socket.on('error', reject);
    });

  await Promise.all(Array.from({ length: connections }, (_, index) => worker(index)));
  return { perSecond: times.length / elapsed(), failures, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
});
