import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ipaddr from 'ipaddr.js';
import { makePrivateDir, syncDir } from './db/sqlite/private-files.ts';
import { parseDuration } from './duration.ts';
import type { SecretKeys } from './secrets.ts';

/** A wrong value in the environment: one clear line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

interface Variable<Value> {
  /** As it would be written in the environment; undefined where there is none. */
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

function truth(value: string) {
  if (value !== 'true' && value !== 'false') throw new ConfigError('must be true or false');
  return value === 'true';
}

/** Both limits are written as durations. */
function duration(min: string, max: string) {
  return (value: string) => {
    const ms = parseDuration(value);
    if (ms === undefined) throw new ConfigError('must be a duration such as 10s, 5m, 2h or 1d');
    if (ms < Number(parseDuration(min))) throw new ConfigError(`must be at least ${min}`);
    if (ms > Number(parseDuration(max))) throw new ConfigError(`must be at most ${max}`);
    return ms;
  };
}

/** For timers: Node fires one of more than 24.8 days (2^31 − 1 ms) at once, and some wait a multiple of the setting. */
const LONGEST_TIMER = '1d';
/** For times that are stored: far from where a date or a number of the database overflows. */
const LONGEST_DELAY = '1y';

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

function secret(value: string) {
  if (value.length < 16) throw new ConfigError('must be at least 16 random characters; try: openssl rand -hex 32');
  return value;
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

/** Every variable there is. The table in docs/operating.md is made from this one. */
export const variables = {
  PORT: { default: '3000', about: 'Port to listen on; 0 picks a free one.', read: integer(0, 65535) },
  HOST: { default: '127.0.0.1', about: 'Address to listen on; `0.0.0.0` for all.', read: text },
  PUBLIC_URL: {
    about:
      'Address under which others reach the service, when a proxy stands before it. Left out: the one it listens on.',
    read: url(['http:', 'https:']),
  },
  DATA_DIR: { default: './data', about: 'Where the embedded database and its secret are kept.', read: text },
  DATABASE_URL: {
    about: 'PostgreSQL, `postgres://user:password@host:5432/name`. Left out: SQLite in `DATA_DIR`.',
    read: url(['postgres:', 'postgresql:']),
  },
  SECRET_KEY: {
    about:
      'Encrypts webhook secrets and signs cursors. Required with `DATABASE_URL`, the same on every node; with the embedded database it is made once and kept in `DATA_DIR`. May name several keys, newest first, separated by commas.',
    read: secrets,
  },
  TRUST_PROXY: {
    about:
      'Proxies whose `X-Forwarded-For` is believed: how many stand in front of the service, or their addresses and networks, separated by commas. Left out: none.',
    read: proxies,
  },
  METRICS_TOKEN: {
    about: 'When set, `/metrics` asks for it as a bearer token. Left out: `/metrics` is served to this machine only.',
    read: text,
  },
  LOG_LEVEL: { default: 'info', about: `How much is logged: ${levels.join(', ')}.`, read: level },
  DRAIN_TIME: {
    default: '0s',
    about:
      'How long to go on serving after the signal to stop, while `/readyz` already answers 503: behind a load balancer, longer than it takes to notice.',
    read: duration('0s', LONGEST_TIMER),
  },
  RATE_LIMIT_PER_MINUTE: {
    default: '60000',
    about: 'Requests a key may make in a minute on one node; 0 turns the limit off.',
    read: integer(0, 1_000_000_000),
  },
  MAX_WAITING_REQUESTS: {
    default: '500',
    about:
      'Requests with a valid key or session that may wait at once on one node, and as many without; more get 503. 0 turns the limit off.',
    read: integer(0, 1_000_000),
  },
  RESPONSE_CACHE_MB: {
    default: '16',
    about:
      'Memory for cached responses, which are valid while nothing in their store has changed; 0 turns the cache off.',
    read: integer(0, 100_000),
  },
  REQUEST_TIMEOUT: {
    default: '30s',
    about: 'Time for a client to send a whole request; a third of it for the headers.',
    read: duration('1s', LONGEST_TIMER),
  },
  WEBHOOK_RETRY_DELAYS: {
    default: '1m,5m,30m,2h,6h,12h',
    about: 'Waits before the attempts after the first.',
    read: list(duration('0s', LONGEST_DELAY)),
  },
  WEBHOOK_TIMEOUT: { default: '10s', about: 'Time for a receiver to answer.', read: duration('0s', LONGEST_TIMER) },
  WEBHOOK_DISABLE_AFTER: {
    default: '24h',
    about: 'An endpoint that has failed for longer than this is switched off, once it has failed often enough.',
    read: duration('0s', LONGEST_DELAY),
  },
  WEBHOOK_DISABLE_FAILURES: {
    default: '50',
    about: 'Failures in a row before an endpoint can be switched off.',
    read: integer(1, 1_000_000),
  },
  WEBHOOK_LOG_DAYS: { default: '30', about: 'Days the delivery log is kept.', read: integer(1, 3650) },
  WEBHOOK_ALLOW_INTERNAL: {
    default: 'false',
    about: 'For development: lets webhooks go to internal addresses and over plain http.',
    read: truth,
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

/** Reads and checks the environment; `.env` in the working directory fills in what is not set. */
export function loadConfig(given: Record<string, string> = {}): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig({ ...process.env, ...given });
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
      // What was given is shown, except where it may be a secret.
      const shown = ['SECRET_KEY', 'DATABASE_URL', 'METRICS_TOKEN'].includes(name) ? '' : `, but is "${given}"`;
      throw new ConfigError(`${name} ${error.message}${shown}`);
    }
  }
  const config = values as Values;
  if (config.DATABASE_URL && !config.SECRET_KEY)
    throw new ConfigError(
      'SECRET_KEY is required with DATABASE_URL, the same on every node; try: openssl rand -hex 32',
    );
  return {
    ...config,
    SECRET_KEY: config.SECRET_KEY ?? ownSecrets(config.DATA_DIR),
    isSecretInFile: !config.SECRET_KEY,
  };
}

export const newSecretKey = () => randomBytes(32).toString('hex');

export const secretFile = (dataDir: string) => join(dataDir, 'secret.key');

/** One key per line, newest first. */
export const secretLines = (keys: SecretKeys) => `${keys.join('\n')}\n`;

/** The keys of the embedded database, made by the first process that starts. */
function ownSecrets(dataDir: string): SecretKeys {
  const file = secretFile(dataDir);
  try {
    makePrivateDir(dataDir);
    if (!existsSync(file)) {
      const draft = `${file}.${process.pid}`;
      writeFileSync(draft, secretLines([newSecretKey()]), { mode: 0o600, flush: true });
      try {
        // A link appears whole or not at all, and never over another process's.
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
