import { isUtf8 } from 'node:buffer';
import type { FaultCode } from '@store-sales/contract';
import { Refusal, summary } from '../refusal.ts';
import { escapePointer } from './validate.ts';

/** Deeper than any body of ours by far, and shallow enough to be walked by functions that call themselves. */
const MAX_DEPTH = 64;

/**
 * An order of 500 lines with every field of each has 4,000. What has more fits no schema of ours, and to list its
 * faults would hold up everybody: a body of 1 MiB made of empty lines took two seconds.
 */
const MAX_VALUES = 20_000;

/** A body as a value; undefined where it is empty. Nothing that was sent is dropped on the way. */
export function readJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new Refusal('malformed_json', 'The body is not UTF-8.');
  const named = countNames(body);
  const text = body.toString('utf8');
  if (!text) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch (error) {
    throw new Refusal('malformed_json', (error as Error).message);
  }
  if (countFields(value) !== named) throw repeated(text);
  return value;
}

/**
 * How many fields the text names: outside of texts, each has one colon. JSON.parse keeps the last of several with
 * one name and says nothing. With the count of what was read, 3 µs for an order of two lines, beside some hundreds
 * for storing it.
 */
function countNames(body: Buffer): number {
  let names = 0;
  let commas = 0;
  let depth = 0;
  let isText = false;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index];
    if (isText) {
      if (byte === 0x5c) index++;
      else if (byte === 0x22) isText = false;
    } else if (byte === 0x22) isText = true;
    else if (byte === 0x3a) names++;
    else if (byte === 0x2c) commas++;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > MAX_DEPTH)
        throw new Refusal('malformed_json', `The body is nested deeper than ${MAX_DEPTH} levels.`);
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  if (commas >= MAX_VALUES) throw refusalAt('', 'too_large', `holds more than ${MAX_VALUES} values`);
  return names;
}

function refusalAt(pointer: string, code: FaultCode, message: string): Refusal {
  const faults = [{ pointer, code, message }];
  return new Refusal('invalid_body', summary(faults), faults);
}

function countFields(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  const entries = Object.values(value);
  let fields = Array.isArray(value) ? 0 : entries.length;
  for (const entry of entries) fields += countFields(entry);
  return fields;
}

/** Names the first field that was given more than once. The text is valid JSON. */
function repeated(text: string): Refusal {
  const path: { names: Set<string> | undefined; place: string | number }[] = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*:?|[{}[\],]/g)) {
    const here = path.at(-1);
    if (token === '{' || token === '[') path.push({ names: token === '{' ? new Set() : undefined, place: 0 });
    else if (token === '}' || token === ']') path.pop();
    else if (token === ',' && here && !here.names) here.place = (here.place as number) + 1;
    else if (token.endsWith(':') && here?.names) {
      here.place = JSON.parse(token.slice(0, -1)) as string;
      if (here.names.has(here.place)) break;
      here.names.add(here.place);
    }
  }
  const pointer = path.map(({ place }) => `/${escapePointer(String(place))}`).join('');
  return refusalAt(pointer, 'repeated', 'is given more than once');
}
