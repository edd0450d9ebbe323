import { randomBytes } from 'node:crypto';
import { hashOf } from '../../secrets.ts';
import { toBase32 } from './base32.ts';

const COUNT = 10;

/** 80 random bits each, so that a plain hash of them cannot be reversed. */
export const newRecoveryCodes = () => Array.from({ length: COUNT }, () => grouped(toBase32(randomBytes(10))));

const grouped = (text: string) => (text.toLowerCase().match(/.{4}/g) as string[]).join('-');

/** Ignores case, spaces and dashes; the digits 0 and 1 are in no code, so they are letters that were misread. */
export function recoveryCodeHash(ownerId: string, code: string): string {
  const letters = code
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replaceAll('0', 'o')
    .replaceAll('1', 'l');
  return hashOf(`${ownerId}:${letters}`);
}
