import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';

/** Requests that a connection may have sent ahead of their turn; one with more is closed. */
const MAX_PIPELINED = 100;

interface Pending {
  reply: FastifyReply;
  handle: () => void;
}

/**
 * Handles the requests of a connection one at a time: a pipelined one waits until the response before it has been sent.
 * So a connection occupies one request and one response, whatever it sends and does not read, and every response being
 * produced is the one that Node has given the socket to. (Node never emits `close` on responses that were still queued
 * behind another when their socket closed.)
 */
export function oneAtATime() {
  /** The first is being handled. */
  const queues = new WeakMap<Socket, Pending[]>();

  function begin(socket: Socket, queue: Pending[], { reply, handle }: Pending) {
    reply.raw.once('close', () => {
      queue.shift();
      // What a closed connection had sent ahead is dropped.
      if (socket.destroyed) queue.length = 0;
      else if (queue[0]) begin(socket, queue, queue[0]);
    });
    handle();
  }

  return function whenFirst(reply: FastifyReply, handle: () => void) {
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
