import { randomBytes } from 'node:crypto';
import { type SecretKeys, signer } from '../secrets.ts';

export const FORM_SECONDS = 86_400;
/** A person needs at least this long to fill in the form. */
const MIN_FILLING_MS = 3000;

export interface FormToken {
  /** 128 random bits: identifies the form, and becomes the address of its order. */
  secret: string;
  isTooFast: boolean;
}

/** Signed tokens of checkout forms: a form that is sent twice is recognized, and one that was not served is refused. */
export function formTokens(secretKeys: SecretKeys) {
  const { sign, isSigned } = signer(secretKeys, 'checkout forms');
  return {
    issue(storeId: string, now: number): string {
      const content = `${randomBytes(16).toString('base64url')}.${now.toString(36)}`;
      return `${content}.${sign(`${storeId}.${content}`)}`;
    },
    read(storeId: string, token: string, now: number): FormToken | undefined {
      const [, secret, issued, signature] = /^([\w-]{22})\.([0-9a-z]{1,10})\.([\w-]{1,100})$/.exec(token) ?? [];
      if (!secret || !issued || !signature || !isSigned(`${storeId}.${secret}.${issued}`, signature)) return undefined;
      const age = now - Number.parseInt(issued, 36);
      return age > FORM_SECONDS * 1000 ? undefined : { secret, isTooFast: age < MIN_FILLING_MS };
    },
  };
}
