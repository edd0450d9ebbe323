import { randomFillSync } from 'node:crypto';

const POOL = 16 * 256;
const pool = Buffer.alloc(POOL);
let used = POOL;
/** The counters of the last instants: clocks of stores may be ahead of each other. */
const counters = new Map<number, number>();
const MAX_INSTANTS = 32;

/**
 * A UUIDv7: the first 48 bits are the time, so that index pages fill in order, and the next 12 are a counter, so that
 * ids of one process are also ordered within a millisecond.
 */
export function uuid(now: number): string {
  if (used === POOL) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = pool.subarray(used, used + 16);
  used += 16;
  const last = counters.get(now);
  const counter = last === undefined ? bytes.readUInt16BE(6) & 0x7ff : (last + 1) & 0xfff;
  counters.set(now, counter);
  if (counters.size > MAX_INSTANTS) counters.delete(counters.keys().next().value as number);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt16BE(0x7000 | counter, 6);
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The smallest UUIDv7 of an instant. */
export function firstUuidAt(instant: number): string {
  const hex = Math.max(0, instant).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id as it is stored, or undefined if the text is not a UUID. */
export const asUuid = (text: string) => (form.test(text) ? text.toLowerCase() : undefined);
