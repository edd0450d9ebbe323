import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'ssk_';
const RANDOM_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A prefix for secret scanners, 238 random bits, and a checksum against typing errors. */
export function newSecret(): string {
  const body = PREFIX + Array.from({ length: RANDOM_LENGTH }, () => alphabet[randomInt(alphabet.length)]).join('');
  return body + checksum(body);
}

/** A mistyped key is rejected without a database lookup. */
export const isWellFormed = (secret: string) =>
  form.test(secret) && checksum(secret.slice(0, -CHECKSUM_LENGTH)) === secret.slice(-CHECKSUM_LENGTH);

/** Lets the owner recognise a key. */
export const visiblePrefix = (secret: string) => secret.slice(0, PREFIX.length + 6);

/** A key or most of one. */
const keys = new RegExp(`${PREFIX}[0-9A-Za-z]{16,}`, 'g');
/** A percent-encoded letter, digit or `_`, encoded once or more often. */
const encoded = /%(?:25)*(3\d|4[1-9a-f]|5[\daf]|6[1-9a-f]|7[\da])/gi;

/** The text without keys, also percent-encoded ones. */
export function maskKeys(text: string): string {
  const plain = text.includes('%')
    ? text.replace(encoded, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
  if (!plain.includes(PREFIX)) return text;
  const masked = plain.replace(keys, `${PREFIX}***`);
  return masked === plain ? text : masked;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index++) {
    digits = alphabet[rest % alphabet.length] + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
