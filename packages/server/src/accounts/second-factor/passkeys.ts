import type { AddPasskey, PasskeyOffer, PasskeyRequest, Proof } from '@store-sales/contract/console';
import type { AccountRow } from '../../tenants.ts';
import { MINUTE } from '../../time/duration.ts';
import type { PasskeyRow } from './factors.queries.ts';

/** Loaded on first use: most processes never check a passkey. */
const webauthn = () => import('@simplewebauthn/server');

/** COSE algorithms: Ed25519, ECDSA with P-256, RSA with SHA-256. */
const ALGORITHMS = [-8, -7, -257];
const TIMEOUT_MS = 5 * MINUTE;

type Assertion = NonNullable<Proof['passkey']>;
type Transports = NonNullable<
  Parameters<Awaited<ReturnType<typeof webauthn>>['verifyAuthenticationResponse']>[0]['credential']['transports']
>;

export const hostOf = (origin: string) => new URL(origin).hostname;

const refOf = ({ credential_id, transports }: PasskeyRow) => ({
  id: credential_id,
  type: 'public-key' as const,
  transports: transports ? transports.split(' ') : [],
});

/** Options for the browser to add a passkey. */
export const passkeyOffer = (
  { id, email, name }: AccountRow,
  existing: readonly PasskeyRow[],
  origin: string,
  challenge: string,
): PasskeyOffer['options'] => ({
  challenge,
  rp: { id: hostOf(origin), name: 'Store Sales' },
  user: { id: Buffer.from(id).toString('base64url'), name: email, displayName: name },
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  timeout: TIMEOUT_MS,
  attestation: 'none',
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
  excludeCredentials: existing.filter(({ host }) => host === hostOf(origin)).map(refOf),
});

/** Options for the browser to use one of these passkeys; null if none works at this address. */
export function passkeyRequest(
  passkeys: readonly PasskeyRow[],
  origin: string | undefined,
  challenge: string,
): PasskeyRequest | null {
  const host = origin && hostOf(origin);
  const usable = passkeys.filter((passkey) => passkey.host === host);
  if (!host || !usable.length) return null;
  const allowCredentials = usable.map(refOf);
  return { challenge, rpId: host, timeout: TIMEOUT_MS, userVerification: 'required', allowCredentials };
}

/** The credential of a new passkey; undefined if the response is not valid. */
export async function readNewPasskey(given: AddPasskey, origin: string, challenge: string) {
  const { verifyRegistrationResponse } = await webauthn();
  const { id, clientDataJSON, attestationObject, transports } = given;
  const verified = await verifyRegistrationResponse({
    response: {
      id,
      rawId: id,
      type: 'public-key',
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: hostOf(origin),
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  const credential = verified?.registrationInfo?.credential;
  if (!credential) return undefined;
  return {
    credential_id: credential.id,
    host: hostOf(origin),
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: transports.join(' '),
  };
}

/** The new counter of the passkey; undefined if the assertion is not valid. */
export async function verifyAssertion(passkey: PasskeyRow, assertion: Assertion, origin: string, challenge: string) {
  // Headers name the origin, so it proves nothing by itself: the passkey must have been added at the same host.
  if (passkey.host !== hostOf(origin)) return undefined;
  const { verifyAuthenticationResponse } = await webauthn();
  const { id, ...response } = assertion;
  const verified = await verifyAuthenticationResponse({
    response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: passkey.host,
    credential: {
      id: passkey.credential_id,
      publicKey: new Uint8Array(Buffer.from(passkey.public_key, 'base64url')),
      counter: passkey.counter,
      transports: refOf(passkey).transports as Transports,
    },
  }).catch(() => undefined);
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined;
}
