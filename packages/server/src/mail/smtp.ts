import { isIP } from 'node:net';
import { createTransport, type Transporter } from 'nodemailer';
import type { Config, Sender, SmtpServer } from '../config.ts';
import { SECOND } from '../time/duration.ts';
import type { Rendered } from './render.ts';

export const MAX_CONNECTIONS = 4;
/** A whole mail, also to a server that responds slowly at each step. */
export const SEND_TIMEOUT = 60 * SECOND;
const CONNECTION_TIMEOUT = 10 * SECOND;
const SOCKET_TIMEOUT = 20 * SECOND;

export interface Message extends Rendered {
  /** The same at every attempt. */
  id: string;
  to: string;
}

export type SendResult =
  | { isSent: true; response: string }
  | {
      isSent: false;
      /** For the log and the database: never the server's text, which may contain an address. */
      error: string;
      /** Trying again will not help: the server rejects this recipient or this message. */
      isPermanent: boolean;
      /** The server cannot be used at all. */
      isServerDown: boolean;
      /** What the server said, for the operator. */
      response: string;
    };

export interface SmtpOptions {
  /** For tests: certificate authority. */
  ca?: string;
  timeoutMs?: number;
}

/** Sends mails over a few connections that are kept open. */
export function smtpSender({ SMTP_URL, MAIL_FROM }: Config, { ca, timeoutMs = SEND_TIMEOUT }: SmtpOptions = {}) {
  if (!SMTP_URL || !MAIL_FROM) throw new Error('mail is off');
  const from = MAIL_FROM;
  const open = () => createTransport(optionsOf(SMTP_URL, ca));
  let transport: Transporter = open();

  /** Ends what does not finish in time; a connection of the pool cannot be ended alone. */
  async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        transport.close();
        transport = open();
        reject(Object.assign(new Error('The server took too long.'), { code: 'ETIMEDOUT' }));
      }, timeoutMs);
    });
    work.catch(() => {});
    try {
      return await Promise.race([work, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async send(message: Message): Promise<SendResult> {
      try {
        const { response } = await withTimeout(transport.sendMail(mimeOf(from, message)));
        return { isSent: true, response: response ?? '' };
      } catch (error) {
        return failureOf(error);
      }
    },
    close: () => transport.close(),
  };
}

export type SmtpSender = ReturnType<typeof smtpSender>;

function optionsOf({ host, port, isSecure, user, password }: SmtpServer, ca: string | undefined) {
  return {
    pool: true as const,
    maxConnections: MAX_CONNECTIONS,
    // A failed mail is retried from the outbox, where its attempts are counted.
    maxRequeues: 0,
    host,
    port,
    secure: isSecure,
    // Never send the password in the clear over a network.
    requireTLS: !isSecure && user !== '' && !isLoopback(host),
    ...(user && { auth: { user, pass: password } }),
    ...(ca && { tls: { ca } }),
    dnsTimeout: CONNECTION_TIMEOUT,
    connectionTimeout: CONNECTION_TIMEOUT,
    greetingTimeout: CONNECTION_TIMEOUT,
    socketTimeout: SOCKET_TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const isLoopback = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && /^127\./.test(host));

/** Addresses are objects: a string would be parsed as a list. */
function mimeOf(from: Sender, { id, to, subject, text, html, replyTo }: Message) {
  const recipient = { name: '', address: to };
  return {
    from,
    to: recipient,
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    envelope: { from: from.address, to: [recipient] },
    messageId: `<${id}@${from.address.split('@')[1]}>`,
    subject,
    text,
    html,
    // No out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

interface SmtpError {
  code?: string;
  responseCode?: number;
  command?: string;
  response?: string;
  message: string;
}

function failureOf(thrown: unknown): SendResult {
  const { code = 'unknown', responseCode, command = '', response, message } = thrown as SmtpError;
  // A rejected sender, sign-in or greeting is a mistake in the settings, which the operator can correct.
  const isInvalid = code === 'EENVELOPE' && command === 'API';
  const isAboutMail = isInvalid || ['RCPT TO', 'DATA'].includes(command) || code === 'EMESSAGE';
  return {
    isSent: false,
    error: responseCode ? `smtp_${responseCode}` : code.toLowerCase(),
    isPermanent: isInvalid || (isAboutMail && responseCode !== undefined && responseCode >= 500),
    isServerDown: !isAboutMail,
    response: response ?? message,
  };
}
