import type { Handlers } from '../http/bind.ts';
import { credentialsOf } from './authenticate.ts';

export const keyRoutes = (): Pick<Handlers, 'checkKey'> => ({
  checkKey: async ({ caller }) => ({ body: { data: credentialsOf(caller) } }),
});
