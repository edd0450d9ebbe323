import { randomBytes } from 'node:crypto';
import { type SecretKeys, signer } from '../secrets.ts';

/** A browser in which this owner has signed in before. */
export interface KnownBrowser {
  ownerId: string;
  id: string;
}

/**
 * Recognizes browsers in which an owner has signed in before, by a signed token. The token grants no access: it only
 * exempts the browser from the limits that an attacker elsewhere can exhaust, and gives it a small limit of its own.
 */
export function knownBrowsers(secretKeys: SecretKeys) {
  const { sign, isSigned } = signer(secretKeys, 'known browsers');
  return {
    write({ ownerId, id }: KnownBrowser): string {
      const text = `${ownerId}.${id}`;
      return `${text}.${sign(text)}`;
    },
    read(given: string | undefined): KnownBrowser | undefined {
      const [ownerId = '', id = '', tag = '', ...rest] = given?.split('.') ?? [];
      return !rest.length && isSigned(`${ownerId}.${id}`, tag) ? { ownerId, id } : undefined;
    },
  };
}

export const newBrowserId = () => randomBytes(12).toString('base64url');
