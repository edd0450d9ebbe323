import type { ApiHandlers } from '../http/bind.ts';
import { iso } from '../time/instant.ts';

export const keyRoutes = (): Pick<ApiHandlers, 'checkKey'> => ({
  checkKey: async ({ caller }) => ({
    body: {
      data: {
        id: caller.id,
        name: caller.name,
        store: {
          id: caller.store_id,
          name: caller.store_name,
          currency: caller.currency,
          timezone: caller.timezone,
          plan: caller.plan,
        },
        rights: caller.rights.split(' '),
        createdAt: iso(caller.created_at),
        expiresAt: iso(caller.expires_at),
      },
    },
  }),
});
