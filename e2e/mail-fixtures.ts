import { type MailServer, openMailServer } from '../packages/server/test/mail-server.ts';
import { test as base } from './fixtures.ts';
import { type Service, startService } from './service.ts';

/** A service that sends mails. */
export const test = base.extend<object, { mail: MailServer; service: Service }>({
  mail: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
    async ({}, use) => {
      const server = await openMailServer();
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  service: [
    async ({ mail }, use) => {
      const service = await startService({ ...mail.env, NODE_EXTRA_CA_CERTS: mail.caFile });
      await use(service);
      await service.stop();
    },
    { scope: 'worker' },
  ],
});
