import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** Maximum pipelined requests; a connection with more is closed. */
const MAX_PIPELINED = 100;

interface Pending {
  reply: FastifyReply;
  handle: () => void;
}

/**
 * Handles the requests of a connection one at a time: a pipelined one waits until the previous response has been sent.
 * So a connection has at most one request and one response in memory, even if the client does not read. (Node never
 * emits `close` on responses that are still queued behind another when their socket closes.)
 */
export function oneAtATime() {
  /** The first request of each queue is being handled. */
  const queues = new WeakMap<Socket, Pending[]>();

  function begin(socket: Socket, queue: Pending[], { reply, handle }: Pending) {
    reply.raw.once('close', () => {
      queue.shift();
      // Requests of a closed connection are dropped.
      if (socket.destroyed) queue.length = 0;
      else if (queue[0]) begin(socket, queue, queue[0]);
    });
    handle();
  }

  return function runInOrder(reply: FastifyReply, handle: () => void) {
    const { socket } = reply.request.raw;
    if (socket.destroyed) return;
    const queue = queues.get(socket) ?? [];
    queues.set(socket, queue);
    const pending = { reply, handle };
    queue.push(pending);
    if (queue.length === 1) begin(socket, queue, pending);
    else if (queue.length > MAX_PIPELINED) socket.destroy();
  };
}
