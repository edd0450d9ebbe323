import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { serverUrls } from './db/postgres/servers.ts';
import { makePrivateDir, syncDir } from './db/sqlite/private-files.ts';
import { ConfigError } from './domain-error.ts';
import { hasControls, mailAddress } from './mail/mail-address.ts';
import type { SecretKeys } from './secrets.ts';
import { parseDuration } from './time/duration.ts';

interface Variable<Value> {
  /** In the format of the environment variable. */
  default?: string;
  about: string;
  read(text: string): Value;
}

const text = (value: string) => value;

function integer(min: number, max: number) {
  return (value: string) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new ConfigError(`must be a whole number from ${min} to ${max}`);
    return number;
  };
}

function boolean(value: string) {
  if (value !== 'true' && value !== 'false') throw new ConfigError('must be true or false');
  return value === 'true';
}

function duration(min: string, max: string) {
  return (value: string) => {
    const ms = parseDuration(value);
    if (ms === undefined) throw new ConfigError('must be a duration such as 10s, 5m, 2h or 1d');
    if (ms < Number(parseDuration(min))) throw new ConfigError(`must be at least ${min}`);
    if (ms > Number(parseDuration(max))) throw new ConfigError(`must be at most ${max}`);
    return ms;
  };
}

/** For timers: Node fires timers above 24.8 days (2^31 − 1 ms) immediately, and some use a multiple of the setting. */
const MAX_TIMER = '1d';
/** For stored times: far below the overflow of dates and of database integers. */
const MAX_DELAY = '1y';

const list =
  <Item>(read: (item: string) => Item) =>
  (value: string) =>
    value.split(',').map((item) => read(item.trim()));

function url(protocols: string[]) {
  return (value: string) => {
    if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol))
      throw new ConfigError(`must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return new URL(value).href.replace(/\/$/, '');
  };
}

/** One server, or several of which one accepts writes, as libpq writes them. */
function database(value: string) {
  const urls = serverUrls(value).map(url(['postgres:', 'postgresql:']));
  const target = new URL(urls[0] as string).searchParams.get('target_session_attrs') ?? 'read-write';
  if (!['read-write', 'primary'].includes(target))
    throw new ConfigError('needs a server that accepts writes: target_session_attrs can be read-write or primary');
  return urls.length > 1 ? value : (urls[0] as string);
}

function secret(value: string) {
  if (value.length < 16) throw new ConfigError('must be at least 16 random characters; try: openssl rand -hex 32');
  return value;
}

export interface SmtpServer {
  host: string;
  port: number;
  /** TLS from the start; otherwise STARTTLS. */
  isSecure: boolean;
  user: string;
  password: string;
}

function smtp(value: string): SmtpServer {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (!parsed || !['smtp:', 'smtps:'].includes(parsed.protocol) || !parsed.hostname)
    throw new ConfigError('must be an address such as smtp://user:password@mail.example.com:587 or smtps://…');
  if (parsed.search || parsed.hash || !['', '/'].includes(parsed.pathname))
    throw new ConfigError('must end after the port; percent-encode special characters in user and password');
  if (!parsed.username !== !parsed.password) throw new ConfigError('must have both user and password, or neither');
  const isSecure = parsed.protocol === 'smtps:';
  try {
    return {
      host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(parsed.port) || (isSecure ? 465 : 587),
      isSecure,
      user: decodeURIComponent(parsed.username),
      password: decodeURIComponent(parsed.password),
    };
  } catch {
    throw new ConfigError('has a % in user or password that is not part of a percent-encoded character');
  }
}

export interface Sender {
  name: string;
  address: string;
}

/** `shop@example.com` or `Tea House <shop@example.com>`. */
function sender(value: string): Sender {
  const [, name = '', inBrackets] = /^([^<>"]*)<([^<>]+)>$/.exec(value) ?? [];
  const address = mailAddress(inBrackets ?? value);
  if (!address || hasControls(name))
    throw new ConfigError('must be an e-mail address, or a name and an address: Tea House <shop@example.com>');
  return { name: name.trim(), address };
}

/** Keys separated by commas, newest first; a comma that belongs to a key is written `\\,`. */
function secrets(value: string): SecretKeys {
  const keys = value.split(/(?<!\\),/).map((key) => key.trim().replaceAll('\\,', ','));
  if (keys.length > 1 && keys.some((key) => key.length < 16))
    throw new ConfigError(
      'names several keys separated by commas, and each must be at least 16 random characters; a comma that belongs to a key is written \\,',
    );
  return keys.map(secret) as [string, ...string[]];
}

/** Number of proxies in front of the service, or their addresses and networks. */
function proxies(value: string): number | string[] {
  if (/^\d+$/.test(value)) return integer(0, 100)(value);
  const networks = value.split(',').map((network) => network.trim());
  for (const network of networks)
    if (!ipaddr.isValid(network) && !ipaddr.isValidCIDR(network))
      throw new ConfigError('must be a number of proxies, or addresses and networks such as 10.0.0.0/8,::1');
  return networks;
}

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
function level(value: string) {
  const found = levels.find((known) => known === value);
  if (!found) throw new ConfigError(`must be one of ${levels.join(', ')}`);
  return found;
}

/** All environment variables. The table in docs/operating.md is generated from this object. */
export const variables = {
  PORT: { default: '3000', about: 'Port to listen on; 0 picks a free one.', read: integer(0, 65535) },
  HOST: { default: '127.0.0.1', about: 'Address to listen on; `0.0.0.0` for all.', read: text },
  PUBLIC_URL: {
    about: 'Public address of the service when it is behind a proxy. Default: the address it listens on.',
    read: url(['http:', 'https:']),
  },
  DATA_DIR: { default: './data', about: 'Directory of the embedded database and its secret key.', read: text },
  DATABASE_URL: {
    about:
      'PostgreSQL, `postgres://user:password@host:5432/name`, or `…@host1:5432,host2:5432/name` to use the server that accepts writes. Default: SQLite in `DATA_DIR`.',
    read: database,
  },
  SECRET_KEY: {
    about:
      'Encrypts webhook secrets and signs cursors. Required with `DATABASE_URL`, the same on every node; with the embedded database it is generated once and stored in `DATA_DIR`. Several keys can be given, newest first, separated by commas.',
    read: secrets,
  },
  TRUST_PROXY: {
    about:
      'Proxies whose `X-Forwarded-For` is trusted: how many there are, or their addresses and networks, separated by commas. Default: none.',
    read: proxies,
  },
  METRICS_TOKEN: {
    about: 'When set, `/metrics` requires it as a bearer token. Default: `/metrics` is served to this machine only.',
    read: text,
  },
  LOG_LEVEL: { default: 'info', about: `Log level: ${levels.join(', ')}.`, read: level },
  DRAIN_TIME: {
    default: '0s',
    about:
      'How long to keep serving after SIGTERM while `/readyz` responds with 503. Behind a load balancer, set it longer than its health check takes to fail.',
    read: duration('0s', MAX_TIMER),
  },
  RATE_LIMIT_PER_MINUTE: {
    default: '60000',
    about:
      'Maximum requests per key and minute, on each node or with `REDIS_URL` over all nodes; 0 disables the limit.',
    read: integer(0, 1_000_000_000),
  },
  REDIS_URL: {
    about:
      'Redis or Valkey, `redis://user:password@host:6379` or `rediss://…`, that counts the requests of a key over all nodes. Default: each node counts alone.',
    read: url(['redis:', 'rediss:']),
  },
  REDIS_TIMEOUT: {
    default: '1s',
    about: 'How long a request waits for Redis; after that, the node counts alone for the rest of the minute.',
    read: duration('1s', MAX_TIMER),
  },
  MAX_WAITING_REQUESTS: {
    default: '500',
    about:
      'Maximum concurrent requests on one node with a valid key or session, and as many without; above it, requests get 503. 0 disables the limit.',
    read: integer(0, 1_000_000),
  },
  SHOP_ORDERS_PER_MINUTE: {
    default: '10',
    about:
      'Maximum orders, and different promo codes tried, per minute from one address (IPv6: network) on the stores’ order pages, on one node.',
    read: integer(1, 1_000_000),
  },
  REQUEST_LOG_DAYS: {
    default: '7',
    about:
      'Retention of the [request log](errors-and-retries.md#request-log) in days, at most 100,000 lines a store; 0 turns it off and deletes it.',
    read: integer(0, 90),
  },
  FILES_MB_PER_STORE: {
    default: '500',
    about: 'Maximum size of the pictures of a store together, as they are stored; 0 turns uploads off.',
    read: integer(0, 1_000_000),
  },
  RESPONSE_CACHE_MB: {
    default: '16',
    about:
      'Memory for cached responses, which are valid while nothing in their store has changed, plus a quarter of it for order pages; 0 disables the cache.',
    read: integer(0, 100_000),
  },
  REQUEST_TIMEOUT: {
    default: '30s',
    about: 'Timeout for receiving a whole request; a third of it for the headers.',
    read: duration('1s', MAX_TIMER),
  },
  SMTP_URL: {
    about:
      'Mail server, `smtp://user:password@host:587` (STARTTLS) or `smtps://user:password@host:465`; requires `MAIL_FROM`. Default: no mails are sent, see [mail](mail.md).',
    read: smtp,
  },
  MAIL_FROM: {
    about: 'Sender of the mails, `shop@example.com` or `Tea House <shop@example.com>`; requires `SMTP_URL`.',
    read: sender,
  },
  WEBHOOK_RETRY_DELAYS: {
    default: '1m,5m,30m,2h,6h,12h',
    about: 'Delays before each retry.',
    read: list(duration('0s', MAX_DELAY)),
  },
  WEBHOOK_TIMEOUT: { default: '10s', about: 'Timeout of a webhook request.', read: duration('1s', MAX_TIMER) },
  WEBHOOK_DISABLE_AFTER: {
    default: '24h',
    about:
      'An endpoint that has been failing for longer than this is disabled, once `WEBHOOK_DISABLE_FAILURES` is reached.',
    read: duration('0s', MAX_DELAY),
  },
  WEBHOOK_DISABLE_FAILURES: {
    default: '50',
    about: 'Consecutive failures before an endpoint can be disabled.',
    read: integer(1, 1_000_000),
  },
  EVENT_DAYS: {
    default: '30',
    about:
      'Retention of events in days, at least that of the delivery log: in `GET /events` and in the timelines of orders.',
    read: integer(1, 36_500),
  },
  WEBHOOK_LOG_DAYS: { default: '30', about: 'Retention of the delivery log in days.', read: integer(1, 3650) },
  WEBHOOK_ALLOW_INTERNAL: {
    default: 'false',
    about: 'For development: allows webhooks to internal addresses and over plain http.',
    read: boolean,
  },
} satisfies Record<string, Variable<unknown>>;

type Variables = typeof variables;
type Values = {
  [Name in keyof Variables]: Variables[Name] extends { default: string }
    ? ReturnType<Variables[Name]['read']>
    : ReturnType<Variables[Name]['read']> | undefined;
};

export type Config = Values & {
  SECRET_KEY: SecretKeys;
  /** The keys come from `secret.key` in `DATA_DIR`, not from the environment. */
  isSecretInFile: boolean;
};

/** The address of the service as far as it is known before it listens. */
export const configuredUrl = ({ PUBLIC_URL, HOST, PORT }: Config) => PUBLIC_URL ?? `http://${HOST}:${PORT}`;

/** Reads and checks the environment; `.env` in the working directory fills in what is not set. */
export function loadConfig(given: Record<string, string> = {}): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig({ ...process.env, ...given });
}

/** The API key of `store-sales mcp`, which needs no other variable. */
export function agentKey(): string {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const key = process.env.STORE_SALES_KEY?.trim() ?? '';
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ConfigError('STORE_SALES_KEY must be an API key of the store');
  return key;
}

export function readConfig(env: Record<string, string | undefined>): Config {
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(variables) as [string, Variable<unknown>][]) {
    const given = env[name]?.trim() || variable.default;
    if (given === undefined) continue;
    try {
      values[name] = variable.read(given);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      // Do not print values that may be secrets.
      const value = ['SECRET_KEY', 'DATABASE_URL', 'REDIS_URL', 'METRICS_TOKEN', 'SMTP_URL'].includes(name)
        ? ''
        : `, but is "${given}"`;
      throw new ConfigError(`${name} ${error.message}${value}`);
    }
  }
  const config = values as Values;
  if (config.DATABASE_URL && !config.SECRET_KEY)
    throw new ConfigError(
      'SECRET_KEY is required with DATABASE_URL, the same on every node; try: openssl rand -hex 32',
    );
  if (!config.SMTP_URL !== !config.MAIL_FROM)
    throw new ConfigError(
      config.SMTP_URL
        ? 'MAIL_FROM is required with SMTP_URL: the address that mails come from'
        : 'SMTP_URL is required with MAIL_FROM: the server that sends the mails',
    );
  return {
    ...config,
    SECRET_KEY: config.SECRET_KEY ?? storedSecrets(config.DATA_DIR),
    isSecretInFile: !config.SECRET_KEY,
  };
}

export const newSecretKey = () => randomBytes(32).toString('hex');

export const secretFile = (dataDir: string) => join(dataDir, 'secret.key');

/** One key per line, newest first. */
export const secretLines = (keys: SecretKeys) => `${keys.join('\n')}\n`;

/** The keys of the embedded database, generated by the first process that starts. */
function storedSecrets(dataDir: string): SecretKeys {
  const file = secretFile(dataDir);
  try {
    makePrivateDir(dataDir);
    if (!existsSync(file)) {
      const draft = `${file}.${process.pid}`;
      writeFileSync(draft, secretLines([newSecretKey()]), { mode: 0o600, flush: true });
      try {
        // link() is atomic and fails if another process has created the file.
        linkSync(draft, file);
        syncDir(dataDir);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      } finally {
        unlinkSync(draft);
      }
    }
    const keys = readFileSync(file, 'utf8')
      .trim()
      .split(/\s*\n\s*/);
    return keys.map(secret) as [string, ...string[]];
  } catch (error) {
    throw new ConfigError(`DATA_DIR "${dataDir}" cannot be used: ${(error as Error).message}`);
  }
}
