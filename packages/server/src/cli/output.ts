import { ConfigError } from '../config.ts';
import { DatabaseUnavailable } from '../db/database.ts';
import { OlderNodesAlive, SchemaTooNew } from '../db/migrate.ts';
import { DomainError } from '../domain-error.ts';

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

/** The error in one line; a stack trace only for unexpected errors. */
export function explain(error: unknown): string {
  if (error instanceof DatabaseUnavailable) return `the database cannot be reached or used: ${error.message}`;
  if ([ConfigError, DomainError, SchemaTooNew, OlderNodesAlive].some((kind) => error instanceof kind))
    return (error as Error).message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}: another program uses this port; set PORT to a free one`;
  if (code && /^SQLITE_(CANTOPEN|READONLY|FULL|IOERR|CORRUPT|NOTADB)/.test(code))
    return `the database file cannot be read or written: ${message}`;
  // Wrong password, no such database, no such role.
  if (code === '28P01' || code === '3D000' || code === '28000')
    return `the database refuses the connection: ${message}`;
  if (code?.startsWith('E')) return message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
