import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const PREFIX = 'ssk_';
const RANDOM = 40;
const CHECKSUM = 6;
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const form = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM + CHECKSUM}}$`);

/** A new secret: a prefix that scanners can find, 238 bits of chance, and a checksum against typing errors. */
export function newSecret(): string {
  const body = PREFIX + Array.from({ length: RANDOM }, () => alphabet[randomInt(alphabet.length)]).join('');
  return body + checksum(body);
}

/** Whether the text can be a key at all; a mistyped one is refused without a look-up. */
export const isWellFormed = (secret: string) =>
  form.test(secret) && checksum(secret.slice(0, -CHECKSUM)) === secret.slice(-CHECKSUM);

/** What is stored. The secret has more chance in it than can be tried, so a plain hash is enough. */
export const hashOf = (secret: string) => hash('sha256', secret, 'base64url');

/** What the owner recognises a key by. */
export const visiblePrefix = (secret: string) => secret.slice(0, PREFIX.length + 6);

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM; index++) {
    digits = alphabet[rest % alphabet.length] + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
