import { createMailer } from '../src/mail/mailer.ts';
import { cleanUpAfter } from './cleanup.ts';
import { type MailServer, openMailServer } from './mail-server.ts';
import { type Service, startService } from './service.ts';

/** An SMTP server that is closed after the test. */
export async function startMailServer(...options: Parameters<typeof openMailServer>) {
  const server = await openMailServer(...options);
  cleanUpAfter(server.close);
  return server;
}

/** A mailer that a test runs by hand. */
export function mailerFor(service: Service, server: MailServer) {
  const mailer = createMailer(service.services, { ca: server.ca });
  cleanUpAfter(() => mailer.close(1000));
  return mailer;
}

/** A service that sends its mails to a real SMTP server when the test runs the mailer. */
export async function startServiceWithMail(env: Record<string, string> = {}) {
  const server = await startMailServer();
  const service = await startService({ env: { ...server.env, ...env } });
  return { server, service, mailer: mailerFor(service, server) };
}
