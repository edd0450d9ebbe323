import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { authority, type Pair } from './certificates.ts';

/** A mail as it arrived. */
export interface ReceivedMail {
  from: string;
  recipients: string[];
  /** Names in lower case; a repeated header has several values. */
  headers: Record<string, string[]>;
  subject: string;
  messageId: string;
  text: string;
  html: string;
  isEncrypted: boolean;
  raw: string;
}

interface Behavior {
  /** Status for RCPT TO; undefined accepts. */
  rejectRecipient?: number | undefined;
  /** Status after DATA. */
  rejectData?: number | undefined;
  /** Runs after the mail was received and before the server confirms it. */
  beforeConfirm?: (() => Promise<void>) | undefined;
}

export const SMTP_USER = 'store@example.com';
export const SMTP_PASSWORD = 'pass/word:@%';

const smtpError = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode });

/** A real SMTP server with TLS and authentication; the caller closes it. */
export async function openMailServer({ isSecure = true, port = 0 } = {}) {
  const issuer = authority();
  const pair: Pair = issuer.issue('localhost');
  const mails: ReceivedMail[] = [];
  const behavior: Behavior = {};

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession) {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    if (behavior.rejectData) throw smtpError(behavior.rejectData, 'no');
    const { mailFrom, rcptTo } = session.envelope;
    mails.push({
      from: mailFrom ? mailFrom.address : '',
      recipients: rcptTo.map(({ address }) => address),
      isEncrypted: session.secure,
      ...parseMail(Buffer.concat(chunks).toString('latin1')),
    });
    await behavior.beforeConfirm?.();
  }

  const server = new SMTPServer({
    ...pair,
    secure: isSecure,
    authMethods: ['PLAIN', 'LOGIN'],
    // Tests connect often from one address.
    maxClients: 100,
    onAuth({ username, password }, _session, done) {
      if (username === SMTP_USER && password === SMTP_PASSWORD) done(null, { user: username });
      else done(smtpError(535, 'wrong password'));
    },
    onRcptTo({ address }, _session, done) {
      done(behavior.rejectRecipient ? smtpError(behavior.rejectRecipient, `no mailbox ${address} here`) : null);
    },
    onData(stream, session, done) {
      receive(stream, session).then(
        () => done(),
        (error) => done(error),
      );
    },
  });
  // A killed client resets its connection.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const { port: actual } = server.server.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));

  const login = `${encodeURIComponent(SMTP_USER)}:${encodeURIComponent(SMTP_PASSWORD)}`;
  return {
    mails,
    behavior,
    port: actual,
    ca: issuer.ca,
    /** For processes: `NODE_EXTRA_CA_CERTS`. */
    caFile: issuer.caFile,
    stop,
    async close() {
      issuer.remove();
      await stop();
    },
    env: {
      SMTP_URL: `${isSecure ? 'smtps' : 'smtp'}://${login}@localhost:${actual}`,
      MAIL_FROM: 'Tea House <shop@example.com>',
    },
    to: (address: string) => mails.filter(({ recipients }) => recipients.includes(address)),
  };
}

export type MailServer = Awaited<ReturnType<typeof openMailServer>>;

function parseMail(raw: string) {
  const { headers, body } = parsePart(raw);
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type']?.[0] ?? '')?.[1];
  const parts = boundary ? body.split(`--${boundary}`).slice(1, -1).map(parsePart) : [{ headers, body }];
  const textOf = (type: string) =>
    parts.filter((part) => part.headers['content-type']?.[0]?.startsWith(type)).map(decodeBody)[0] ?? '';
  return {
    headers,
    subject: decodeWords(headers.subject?.[0] ?? ''),
    messageId: headers['message-id']?.[0] ?? '',
    text: textOf('text/plain'),
    html: textOf('text/html'),
    raw,
  };
}

interface Part {
  headers: Record<string, string[]>;
  body: string;
}

function parsePart(raw: string): Part {
  const [head = '', ...rest] = raw.replace(/^\r\n/, '').split('\r\n\r\n');
  const headers: Record<string, string[]> = {};
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    headers[key] = [...(headers[key] ?? []), value];
  }
  return { headers, body: rest.join('\r\n\r\n') };
}

const quotedPrintable = (text: string) =>
  Buffer.from(
    text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

function decodeBody({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding']?.[0];
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? quotedPrintable(body)
        : Buffer.from(body, 'latin1');
  return bytes.toString().replaceAll('\r\n', '\n').trim();
}

const decodeWords = (text: string) =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, encoding, word) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : quotedPrintable(word.replaceAll('_', ' ')).toString(),
    );
