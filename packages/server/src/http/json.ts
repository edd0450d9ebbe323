import { isUtf8 } from 'node:buffer';
import type { FieldErrorCode } from '@store-sales/contract';
import { DomainError, summary } from '../domain-error.ts';
import { escapePointer } from './validate.ts';

/** Much deeper than any valid body, and shallow enough for recursive functions. */
const MAX_DEPTH = 64;

/**
 * An order with 500 full lines has 4,000 values. A larger body matches no schema, and collecting its validation errors
 * would block the event loop: 1 MiB of empty lines took two seconds.
 */
const MAX_VALUES = 20_000;

/** Parses a body; undefined if it is empty. Duplicate names are an error, so that no value is silently dropped. */
export function readJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new DomainError('malformed_json', 'The body is not UTF-8.');
  const named = countNames(body);
  const text = body.toString('utf8');
  if (!text) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    // The parser's own text repeats parts of the body.
    const [at] = /at position \d+/.exec((error as Error).message) ?? [];
    throw new DomainError('malformed_json', `The body is not valid JSON${at ? ` ${at}` : ''}.`);
  }
  if (countFields(value) !== named) throw repeated(text);
  return value;
}

/**
 * Counts the fields in the text by the colons outside of strings. JSON.parse silently keeps the last of several fields
 * with one name; a count that differs from the parsed value's reveals it. Costs 3 µs for an order with two lines.
 */
function countNames(body: Buffer): number {
  let names = 0;
  let commas = 0;
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (isInString) {
      if (byte === 0x5c) index++;
      else if (byte === 0x22) isInString = false;
    } else if (byte === 0x22) isInString = true;
    else if (byte === 0x3a) names++;
    else if (byte === 0x2c) commas++;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > MAX_DEPTH)
        throw new DomainError('malformed_json', `The body is nested deeper than ${MAX_DEPTH} levels.`);
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  if (commas >= MAX_VALUES) throw bodyError('', 'too_large', `has more than ${MAX_VALUES} values`);
  return names;
}

function bodyError(pointer: string, code: FieldErrorCode, message: string): DomainError {
  const fieldErrors = [{ pointer, code, message }];
  return new DomainError('invalid_body', summary(fieldErrors), fieldErrors);
}

function countFields(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  const entries = Object.values(value);
  let fields = Array.isArray(value) ? 0 : entries.length;
  for (const entry of entries) fields += countFields(entry);
  return fields;
}

/** Locates the first duplicate field. The text is valid JSON. */
function repeated(text: string): DomainError {
  const path: { names: Set<string> | undefined; position: string | number }[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[{}[\],]/g)) {
    const here = path.at(-1);
    if (token === '{' || token === '[') path.push({ names: token === '{' ? new Set() : undefined, position: 0 });
    else if (token === '}' || token === ']') path.pop();
    else if (token === ',' && here && !here.names) here.position = (here.position as number) + 1;
    else if (token.endsWith(':') && here?.names) {
      here.position = JSON.parse(token.slice(0, -1)) as string;
      if (here.names.has(here.position)) break;
      here.names.add(here.position);
    }
  }
  const pointer = path.map(({ position }) => `/${escapePointer(String(position))}`).join('');
  return bodyError(pointer, 'repeated', 'is given more than once');
}
