import type { AddPasskey, ConfirmCodes, PasskeyOffer, PasskeyRequest, Proof } from '@store-sales/contract/console';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** How the signed-in person can confirm that it is them; each time a new challenge. */
export const proofRequestQuery = queryOptions({
  queryKey: ['proof-request'],
  queryFn: () => call('POST /session/verify/start'),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnReconnect: false,
});

/** A secret for an authenticator app; each time another one. */
export const codesOfferQuery = queryOptions({
  queryKey: ['codes-offer'],
  queryFn: () => call('POST /second-factor/codes'),
  gcTime: 0,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnReconnect: false,
});

export const finishSignIn = (body: Proof) => call('POST /session/second-factor', { body });
export const verify = (body: Proof) => call('POST /session/verify', { body });
export const confirmCodes = (body: ConfirmCodes) => call('PUT /second-factor/codes', { body });
export const removeCodes = () => call('DELETE /second-factor/codes');
export const offerPasskey = () => call('POST /second-factor/passkeys/start');
export const savePasskey = (body: AddPasskey) => call('POST /second-factor/passkeys', { body });
export const removePasskey = (passkeyId: string) =>
  call('DELETE /second-factor/passkeys/{passkeyId}', { params: { passkeyId } });
export const renewRecoveryCodes = () => call('POST /second-factor/recovery-codes');

/** Browsers offer passkeys on https and localhost, under a name. */
export const canUsePasskeys = () =>
  'PublicKeyCredential' in window && window.isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname);

/** Loaded on first use. */
const webauthn = () => import('@simplewebauthn/browser');

/** Has the person use one of their passkeys. Rejects if they do not. */
export async function assertionOf(request: PasskeyRequest): Promise<NonNullable<Proof['passkey']>> {
  const { startAuthentication } = await webauthn();
  const { id, response } = await startAuthentication({ optionsJSON: request as never });
  const { authenticatorData, clientDataJSON, signature } = response;
  return { id, authenticatorData, clientDataJSON, signature };
}

/** Has the person create a passkey. Rejects if they do not. */
export async function newPasskey({ token, options }: PasskeyOffer, name: string): Promise<AddPasskey> {
  const { startRegistration } = await webauthn();
  const { id, response } = await startRegistration({ optionsJSON: options as never });
  const { clientDataJSON, attestationObject, transports = [] } = response;
  return { token, name, id, clientDataJSON, attestationObject, transports };
}
