import type { ApiHandlers } from '../../http/bind.ts';
import type { Services } from '../../services.ts';
import { listEvents } from './list-events.ts';

export const eventRoutes = (services: Services): Pick<ApiHandlers, 'listEvents'> => ({
  listEvents: async ({ caller, query }) => ({
    body: (await listEvents(services.db, services, caller.store_id, query)) as never,
    cacheableBySeq: true,
  }),
});
