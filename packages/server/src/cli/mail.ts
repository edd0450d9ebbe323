import { randomUUID } from 'node:crypto';
import { loadConfig } from '../config.ts';
import { ConfigError, invalidField } from '../domain-error.ts';
import { listDeadMails, retryDeadMails } from '../mail/dead-mails.ts';
import { asLanguage } from '../mail/kinds.ts';
import { mailAddress } from '../mail/mail-address.ts';
import { render } from '../mail/render.ts';
import { smtpSender } from '../mail/smtp.ts';
import { letterOf } from '../mail/templates.ts';
import { print, UsageError } from './output.ts';
import { withDatabase } from './session.ts';

interface Options {
  json?: boolean;
}

export const mailList = ({ limit = '1000', json }: Options & { limit?: string }) =>
  withDatabase(async ({ db }) => {
    if (!/^[1-9]\d{0,5}$/.test(limit)) throw new UsageError('--limit must be a whole number from 1 to 999999.');
    print(await listDeadMails(db, Number(limit)), json);
  });

export const mailRetry = (id: string | undefined, { all = false, json }: Options & { all?: boolean }) =>
  withDatabase(async ({ db, now }) => {
    if ((id === undefined) === !all) throw new UsageError('Name one mail, or give --all.');
    print({ retried: await retryDeadMails(db, id, now) }, json);
  });

/** Sends a mail without the outbox, and prints what the server said. */
export async function mailTest(to: string, { language = 'en', json }: Options & { language?: string }) {
  const config = loadConfig();
  if (!config.SMTP_URL) throw new ConfigError('Mail is off; set SMTP_URL and MAIL_FROM.');
  const address = mailAddress(to);
  if (!address) throw invalidField('/email', 'invalid_format', `"${to}" is not an address that can be mailed to.`);
  const sender = smtpSender(config);
  try {
    const content = render(letterOf('test', asLanguage(language), {}));
    const result = await sender.send({ id: randomUUID(), to: address, ...content });
    print({ to: address, isSent: result.isSent, response: result.response }, json);
    if (!result.isSent) process.exitCode = 1;
  } finally {
    sender.close();
  }
}
