import type { FastifyRequest } from 'fastify';
import { DomainError } from '../../domain-error.ts';
import type { ConsoleHandlers, ConsoleHandlersAt } from '../../http/bind.ts';
import type { Services } from '../../services.ts';
import { originOf } from '../same-site.ts';
import {
  addPasskey,
  confirmCodes,
  offerCodes,
  offerPasskey,
  readSecondFactor,
  removeCodes,
  removePasskey,
  renewRecoveryCodes,
} from './factors.ts';
import type { StepUp } from './step-up.ts';

type SecondFactorRoutes = ConsoleHandlersAt<'/second-factor'> &
  Pick<ConsoleHandlers, 'POST /session/verify/start' | 'POST /session/verify'>;

/** The passkeys and codes of the signed-in account, and its verification before sensitive changes. */
export function secondFactorConsoleRoutes(services: Services, verification: StepUp): SecondFactorRoutes {
  const { db, config } = services;
  const originOfPage = (request: FastifyRequest) => originOf(request, config.PUBLIC_URL);

  /** Passkeys are bound to the address of the console. */
  function ownOrigin(request: FastifyRequest) {
    const origin = originOfPage(request);
    if (!origin) throw new DomainError('cross_site', 'The address of the console is unknown; set PUBLIC_URL.');
    return origin;
  }

  return {
    'POST /session/verify/start': async ({ session, request, now }) => ({
      body: await verification.start(session, originOfPage(request), now),
    }),
    'POST /session/verify': ({ session, body, request, now }) =>
      verification.verify(session, body, originOfPage(request), now),

    'GET /second-factor': async ({ session }) => ({ body: await readSecondFactor(db, session.account.id) }),
    'POST /second-factor/codes': async ({ session, now }) => ({ body: offerCodes(services, session.account, now) }),
    'PUT /second-factor/codes': async ({ session, body, now }) => ({
      body: await confirmCodes(services, session, body, now),
    }),
    'DELETE /second-factor/codes': async ({ session, now }) => ({ body: await removeCodes(db, session.account, now) }),
    'POST /second-factor/passkeys/start': async ({ session, request, now }) => ({
      body: await offerPasskey(services, session, ownOrigin(request), now),
    }),
    'POST /second-factor/passkeys': async ({ session, body, request, now }) => ({
      body: await addPasskey(services, session, body, ownOrigin(request), now),
    }),
    'DELETE /second-factor/passkeys/{passkeyId}': async ({ session, params, now }) => ({
      body: await removePasskey(db, session.account, params.passkeyId, now),
    }),
    'POST /second-factor/recovery-codes': async ({ session, now }) => ({
      body: await renewRecoveryCodes(db, session.account, now),
    }),
  };
}
