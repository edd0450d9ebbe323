import { codeAt, stepAt } from '../src/accounts/second-factor/totp.ts';
import { authenticator } from './authenticator.ts';
import { type Browser, browser } from './browser.ts';
import type { Service } from './service.ts';
import { signedInOwner } from './signed-in-owner.ts';

/** An authenticator app with the secret that was shown; `steps` from now, each of 30 seconds. */
export const codesOf =
  (service: Service, secret: string) =>
  (steps = 0) =>
    codeAt(secret, stepAt(service.clock.now) + steps);

/** Sets up codes for a signed-in account. */
export async function setUpCodes(service: Service, visitor: Browser) {
  const { body: offer } = await visitor.post('/second-factor/codes');
  const code = codesOf(service, offer.secret);
  const { status, body } = await visitor.put('/second-factor/codes', { token: offer.token, code: code() });
  if (status !== 200) throw new Error(JSON.stringify(body));
  // The code of this step is used.
  service.clock.now += 30_000;
  return { code, recoveryCodes: body.recoveryCodes as string[] };
}

export async function addPasskey(service: Service, visitor: Browser) {
  const device = authenticator(service.url);
  const { body: offer } = await visitor.post('/second-factor/passkeys/start');
  const { status, body } = await visitor.post('/second-factor/passkeys', device.create(offer));
  if (status !== 201) throw new Error(JSON.stringify(body));
  return { device, recoveryCodes: body.recoveryCodes as string[], passkeyId: body.secondFactor.passkeys.at(-1).id };
}

export async function ownerWithCodes(service: Service) {
  const owner = await signedInOwner(service);
  return { ...owner, ...(await setUpCodes(service, owner.visitor)) };
}

export async function ownerWithPasskey(service: Service) {
  const owner = await signedInOwner(service);
  return { ...owner, ...(await addPasskey(service, owner.visitor)) };
}

/** Enters the password in another browser; returns it with what the server requests. */
export async function afterPassword(service: Service, email: string, visitor = browser(service)) {
  const { status, body } = await visitor.signIn(email);
  if (status !== 200) throw new Error(`signed in with ${status}`);
  const prove = (proof: object) => visitor.post('/session/second-factor', { token: body.token, ...proof });
  return { visitor, request: body, prove };
}
