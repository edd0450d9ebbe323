import type { AddPasskey, PasskeyOffer, PasskeyRequest, Proof } from '@store-sales/contract/console';

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
