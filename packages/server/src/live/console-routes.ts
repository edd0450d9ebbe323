import type { ConsoleHandlersAt } from '../http/bind.ts';
import type { StoreWatch } from './watch-stores.ts';

/** Open pages learn of changes without asking for them. */
export const liveConsoleRoutes = (watch: StoreWatch): ConsoleHandlersAt<'/stores/{storeId}/changes'> => ({
  async 'GET /stores/{storeId}/changes'(call) {
    // A proxy that buffers the response would hold back the events.
    return { body: await watch.watch(call, call.work), headers: { 'X-Accel-Buffering': 'no' } };
  },
});
