import { type Endpoint, endpoints } from '@store-sales/contract';
import { type ConsoleEndpoint, consoleEndpoints } from '@store-sales/contract/console';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { readJson } from './json.ts';
import { bodyReader, queryReader } from './validate.ts';

/**
 * What strangers send is read in linear time: one request of quadratic work blocks the process for everybody. A body
 * has up to 1 MiB, a URL up to 16 KiB.
 */
const BODY_LENGTH = 1024 * 1024;
const URL_LENGTH = 15_000;
/** In linear time it takes a few milliseconds, in quadratic time half a minute. */
const MAX_CPU_MS = 3000;
const MAX_CPU_MS_OF_URL = 500;

function cpuMs(work: () => unknown) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** All regular expressions of the request schemas of both tables. */
function patterns() {
  const found = new Set<string>();
  const collect = (node: unknown) => {
    if (node === null || typeof node !== 'object') return;
    for (const [name, value] of Object.entries(node)) {
      if (name === 'pattern' && typeof value === 'string') found.add(value);
      else collect(value);
    }
  };
  for (const { query, body } of [...Object.values(endpoints), ...Object.values(consoleEndpoints)] as (
    | Endpoint
    | ConsoleEndpoint
  )[])
    collect([query, body]);
  return [...found];
}

/** Texts that begin as the pattern wants, repeat a part of it, and end with what no pattern accepts. */
function hostileTexts(pattern: string): string[] {
  const words = [
    ...new Set(pattern.replaceAll('\\', '').match(/https:\/\/|\{\w+\}|[\w@#]+|[^\w\s]/g) ?? []),
    'a',
    '1',
    ' ',
  ];
  const starts = ['', 'https://a/', 'a@', '#', '1,', ' '];
  return starts.flatMap((start) => words.map((word) => `${start}${word.repeat(BODY_LENGTH / word.length / 4)}\n `));
}

test.each(patterns())('the pattern %s', (pattern) => {
  const expression = new RegExp(pattern, 'u');
  expect(hostileTexts(pattern).length).toBeGreaterThan(10);
  for (const text of hostileTexts(pattern)) {
    const ms = cpuMs(() => expression.test(text));
    expect(ms, JSON.stringify(text.slice(0, 40))).toBeLessThan(MAX_CPU_MS);
  }
});

describe('the parameters of a URL', () => {
  const read = queryReader(
    Type.Object(
      { 'filter[metadata]': Type.Optional(Type.Unsafe<object>({ type: 'object' })) },
      { additionalProperties: false },
    ),
  );

  test.each(['[', ']', '[]', '[a', 'filter[metadata][', 'filter[metadata]', '%5B', '%', '=', 'a=&'])('%s…', (part) => {
    const url = `/orders?${part.repeat(URL_LENGTH / part.length)}`;
    expect(cpuMs(() => expect(() => read(url)).toThrow())).toBeLessThan(MAX_CPU_MS_OF_URL);
  });

  test('an entry of a map ends with the last bracket', () => {
    const keys = (name: string) => Object.keys(read(`/orders?${name}=1`)['filter[metadata]'] ?? {});
    expect(keys('filter[metadata][a]')).toEqual(['a']);
    expect(keys('filter[metadata][]')).toEqual(['']);
    for (const name of ['filter[metadata][a]b]', 'filter[metadata][a][b]', 'filter[metadata]a]', 'filter[metadata]['])
      expect(() => keys(name), name).toThrow(/is unknown/);
  });
});

describe('a body', () => {
  const read = bodyReader(Type.Object({ text: Type.String({ maxLength: 10 }) }, { additionalProperties: false }));

  test.each(['"', '\\"', '\\\\', '{', '[', '[1,', '"a":', '{"a":', ' ', ',', ':'])('%s…', (part) => {
    const hostile = part.repeat(BODY_LENGTH / part.length);
    for (const text of [
      hostile,
      `{"text":1,"text":"${hostile}`,
      `{"text":1,"text":1${hostile}`,
      `{"text":1,"text":"${hostile}"}`,
    ]) {
      const ms = cpuMs(() => expect(() => read(readJson(Buffer.from(text)))).toThrow());
      expect(ms, text.slice(0, 40)).toBeLessThan(MAX_CPU_MS);
    }
  });
});
