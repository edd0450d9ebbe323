import { randomBytes } from 'node:crypto';
import { asUuid } from '../../db/uuid.ts';
import { type SecretKeys, signer } from '../../secrets.ts';
import { MINUTE } from '../../time/duration.ts';

const TOKEN_LIFE = 5 * MINUTE;

/** What a token is for; one of another purpose is refused. */
export type Purpose = 'sign-in' | 'verify' | 'add-passkey';

export interface SignedToken {
  ownerId: string;
  expiresAt: number;
  /** Also the challenge that a passkey signs. */
  nonce: string;
}

/**
 * Short-lived tokens between the two steps of a sign-in, a verification or the adding of a passkey. Nothing is stored
 * until one is used. `boundTo` is signed but not part of the token: the password hash or the session, so that the token
 * ends with them.
 */
export function signedTokens(secretKeys: SecretKeys) {
  const { sign, isSigned } = signer(secretKeys, 'second factor');
  const textOf = ({ ownerId, expiresAt, nonce }: SignedToken) => `${ownerId}.${expiresAt}.${nonce}`;
  const signed = (token: SignedToken, purpose: Purpose, boundTo: string) => `${purpose}.${textOf(token)}.${boundTo}`;

  return {
    issue(ownerId: string, purpose: Purpose, boundTo: string, now: number): SignedToken & { text: string } {
      const token = { ownerId, expiresAt: now + TOKEN_LIFE, nonce: randomBytes(32).toString('base64url') };
      return { ...token, text: `${textOf(token)}.${sign(signed(token, purpose, boundTo))}` };
    },
    /** The account that a token claims to be for; `read` checks it. */
    ownerOf: (text: string) => asUuid(text.split('.', 1)[0] as string),
    read(text: string, purpose: Purpose, boundTo: string, now: number): SignedToken | undefined {
      const [ownerId = '', expires = '', nonce = '', tag = '', ...rest] = text.split('.');
      const token = { ownerId, expiresAt: Number(expires), nonce };
      const isValid = !rest.length && isSigned(signed(token, purpose, boundTo), tag) && now < token.expiresAt;
      return isValid ? token : undefined;
    },
  };
}

export type SignedTokens = ReturnType<typeof signedTokens>;
