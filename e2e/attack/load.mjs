/**
 * Repeats a few requests over many connections in a separate process until it is killed.
 * Reads its options as JSON from standard input: { port, connections, requests: string[], reads }.
 */
import { connect } from 'node:net';
import { json } from 'node:stream/consumers';

const { port, connections, requests, reads = true } = await json(process.stdin);

function run(index) {
  const socket = connect(port, '127.0.0.1');
  let next = index;
  const send = () => socket.writable && socket.write(requests[next++ % requests.length]);
  socket.on('error', () => {});
  socket.on('connect', send);
  if (reads) socket.on('data', send);
  socket.on('close', () => setTimeout(run, 50, index));
}

for (let index = 0; index < connections; index++) run(index);
