import { createHmac, randomBytes } from 'node:crypto';
import { isSame } from '../../secrets.ts';
import { fromBase32, toBase32 } from './base32.ts';

const ISSUER = 'Store Sales';
const STEP_MS = 30_000;

export const newCodeSecret = () => toBase32(randomBytes(20));

/** RFC 6238 with the only parameters that all authenticator apps support: SHA-1, six digits, 30 seconds. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const number = digest.readUInt32BE((digest[19] as number) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

export const stepAt = (now: number) => Math.floor(now / STEP_MS);

/** The step that this is the code of: the current one, the one before or the one after, as clocks differ. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const digits = code.replaceAll(/\s/g, '');
  const current = stepAt(now);
  return [current + 1, current, current - 1].find((step) => isSame(digits, codeAt(secret, step)));
}

export function codesUri(secret: string, email: string): string {
  const parameters = new URLSearchParams({ secret, issuer: ISSUER, algorithm: 'SHA1', digits: '6', period: '30' });
  // Some apps show a plus sign instead of a space.
  const query = parameters.toString().replaceAll('+', '%20');
  return `otpauth://totp/${encodeURIComponent(`${ISSUER}:${email}`)}?${query}`;
}
