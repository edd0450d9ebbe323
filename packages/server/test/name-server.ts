import { createSocket, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { cleanUpAfter } from './cleanup.ts';

const types = { 1: 'A', 28: 'AAAA' } as const;
const rcodes = { SERVFAIL: 2, NXDOMAIN: 3 } as const;
const TTL_SECONDS = 60;

/** Addresses, an error code, or no response at all. */
export type Behaviour = readonly string[] | keyof typeof rcodes | 'silent';
/** By name: for both address families, or for each. An address is returned for its own family only. */
export type Zone = Record<string, Behaviour | { A?: Behaviour; AAAA?: Behaviour; ttl?: number }>;

/** A name server on loopback. Names that are not in the zone do not exist; `*.name` matches all names below it. */
export async function startNameServer(zone: Zone) {
  const queries: string[] = [];
  const socket: Socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = question(message);
    queries.push(`${type} ${name}`);
    const entry = zone[name] ?? zone[name.replace(/^[^.]+/, '*')] ?? 'NXDOMAIN';
    const isSplit = typeof entry === 'object' && !Array.isArray(entry);
    const { ttl = TTL_SECONDS, ...families } = isSplit ? (entry as { ttl?: number }) : {};
    const behaviour = isSplit ? ((families as Record<string, Behaviour>)[type] ?? []) : (entry as Behaviour);
    if (behaviour === 'silent') return;
    const addresses = typeof behaviour === 'string' ? [] : behaviour.filter((one) => isIPv6(one) === (type === 'AAAA'));
    const header = Buffer.alloc(12);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (typeof behaviour === 'string' ? rcodes[behaviour] : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((one) => record(one, type, ttl));
    socket.send(Buffer.concat([header, message.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  let isOpen = true;
  const close = () =>
    new Promise<void>((done) => {
      if (!isOpen) return done();
      isOpen = false;
      socket.close(done);
    });
  cleanUpAfter(close);
  return { address: `127.0.0.1:${socket.address().port}`, queries, close };
}

function question(message: Buffer) {
  const labels: string[] = [];
  let offset = 12;
  for (let length = message[offset]; length; length = message[offset]) {
    labels.push(message.toString('ascii', offset + 1, offset + 1 + length));
    offset += length + 1;
  }
  const type = types[message.readUInt16BE(offset + 1) as keyof typeof types];
  return { name: labels.join('.').toLowerCase(), type, end: offset + 5 };
}

function record(address: string, type: keyof typeof rcodes | string, ttl: number): Buffer {
  const data = type === 'A' ? Buffer.from(address.split('.').map(Number)) : ipv6(address);
  // A pointer to the name in the question, type, class, time to live, length.
  const head = Buffer.from([0xc0, 12, 0, type === 'A' ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, data.length]);
  head.writeUInt32BE(ttl, 6);
  return Buffer.concat([head, data]);
}

function ipv6(address: string): Buffer {
  const [before = '', after = ''] = address.split('::');
  const groups = (text: string) => (text ? text.split(':') : []);
  const zeros = 8 - groups(before).length - groups(after).length;
  const all = [...groups(before), ...Array<string>(address.includes('::') ? zeros : 0).fill('0'), ...groups(after)];
  return Buffer.from(all.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]));
}
