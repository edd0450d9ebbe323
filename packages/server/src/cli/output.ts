import { SingleBar } from 'cli-progress';
import { CommanderError } from 'commander';
import { NotDistributed } from '../db/cluster/distribute.ts';
import { DatabaseMoving, DatabaseUnavailable } from '../db/database.ts';
import { OlderNodesAlive, SchemaTooNew } from '../db/migrations/migrate.ts';
import { ConfigError, DomainError } from '../domain-error.ts';

/** Prints the result of a command: JSON for scripts, or lines for people. */
export function print(value: unknown, json: boolean | undefined) {
  if (json) console.log(JSON.stringify(value));
  else if (Array.isArray(value)) printTable(value as Record<string, unknown>[]);
  else printFields(value as Record<string, unknown>);
}

function printFields(fields: Record<string, unknown>) {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  for (const [name, value] of Object.entries(fields)) console.log(`${name.padEnd(width)}  ${formatted(value)}`);
}

function printTable(rows: Record<string, unknown>[]) {
  const [first] = rows;
  if (!first) return console.log('none');
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => formatted(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length)));
  for (const line of lines)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    );
}

function formatted(value: unknown): string {
  if (value === null || value === undefined) return '-';
  return Array.isArray(value) ? value.map(formatted).join(', ') : String(value);
}

/** An option or argument that cannot be used as it was given. */
export class UsageError extends Error {}

/** A name that an option or argument takes. */
export function known<Name extends string>(text: string, names: readonly Name[], one: string, many = `${one}s`): Name {
  const name = names.find((each) => each === text);
  if (name === undefined) throw new UsageError(`Unknown ${one} ${text}; valid ${many}: ${names.join(', ')}.`);
  return name;
}

/** Exit codes; documented in docs/operating.md. */
const FAILED = 1;
const USAGE = 2;
const REFUSED = 3;
const UNAVAILABLE = 4;

interface Failure {
  exitCode: number;
  code: string;
  /** One line; a stack trace only for unexpected errors. */
  message: string;
  errors?: DomainError['fieldErrors'];
}

function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) return { exitCode: USAGE, code: 'usage', message: error.message };
  if (error instanceof CommanderError)
    return { exitCode: USAGE, code: 'usage', message: error.message.replace(/^error: /, '') };
  if (error instanceof DomainError) {
    const { code, message, fieldErrors } = error;
    const exitCode = code === 'unavailable' ? UNAVAILABLE : REFUSED;
    return { exitCode, code, message, ...(fieldErrors.length && { errors: fieldErrors }) };
  }
  if (error instanceof ConfigError) return { exitCode: FAILED, code: 'invalid_configuration', message: error.message };
  if (error instanceof SchemaTooNew || error instanceof OlderNodesAlive || error instanceof NotDistributed)
    return { exitCode: FAILED, code: 'incompatible_schema', message: error.message };
  const { code, message } = error as NodeJS.ErrnoException;
  const unavailable = (text: string) => ({
    exitCode: UNAVAILABLE,
    code: 'unavailable',
    message: `the database ${text}: ${message}`,
  });
  if (error instanceof DatabaseMoving)
    return error.movedTo
      ? { exitCode: REFUSED, code: 'moved', message }
      : { exitCode: UNAVAILABLE, code: 'unavailable', message };
  if (error instanceof DatabaseUnavailable) return unavailable('cannot be reached or used');
  if (code && /^SQLITE_(CANTOPEN|READONLY|FULL|IOERR|CORRUPT|NOTADB)/.test(code))
    return unavailable('file cannot be read or written');
  // Wrong password, no such database, no such role.
  if (code === '28P01' || code === '3D000' || code === '28000') return unavailable('refuses the connection');
  if (code === 'EADDRINUSE')
    return { exitCode: FAILED, code, message: `${message}: another program uses this port; set PORT to a free one` };
  if (code?.startsWith('E')) return { exitCode: FAILED, code, message };
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exitCode: FAILED, code: 'internal_error', message: text };
}

/** Prints the error on standard error and sets the exit code of the process. */
export function fail(error: unknown, json: boolean) {
  const { exitCode, ...failure } = failureOf(error);
  console.error(json ? JSON.stringify(failure) : `store-sales: ${failure.message}`);
  process.exitCode = exitCode;
}

/** Only on a terminal, and on standard error, so that the result can be piped. */
export function progressBar(what: string, total: number): SingleBar | undefined {
  if (!process.stderr.isTTY) return undefined;
  const format = `${what} [{bar}] {percentage}%`;
  const bar = new SingleBar({ format, hideCursor: true, clearOnComplete: true, stream: process.stderr });
  bar.start(total, 0);
  return bar;
}

/** Whether the reader of standard output has gone. */
export const isClosed = (error: unknown) =>
  ['EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_DESTROYED'].includes((error as NodeJS.ErrnoException).code ?? '');
