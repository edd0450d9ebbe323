import type { Chance } from '../packages/server/src/demo/random.ts';

export type Schema = Record<string, any>;
type Fields = Record<string, unknown>;

/** Texts that break programs: NUL, half pairs, four bytes, right to left, prototype names, SQL, very long ones. */
export const hostileTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfffy',
  '😀𝕏\u{10FFFF}',
  '\u202Eшалом שלום',
  'e\u0301 vs é \u00A0\u200B\uFEFF',
  'İıſẞ',
  '\r\n\t\u0001\u007f\u2028',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  "' or 1=1; drop table orders; --",
  '%00%ff%zz',
  '../../etc/passwd',
  '{{7*7}}<script>',
  '9'.repeat(400),
  'я'.repeat(5001),
  '\u{1F468}'.repeat(255),
  'x'.repeat(70_000),
];

/** Written into the body as they are, for what JSON.stringify would never write. */
const rawTexts = [
  '1e999',
  '-1e999',
  '9007199254740993',
  '123456789012345678901234567890',
  '-0',
  '1.0',
  '1E2',
  '0.1',
  '"\\ud83d"',
  '"\\u0000"',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{}}}',
  '[[[[[[[[]]]]]]]]',
  '{"":{"":{"":""}}}',
  'nul',
  '01',
  '"unended',
  "'single'",
  '[1,]',
  '{"a":1,}',
  '// comment\n1',
  'Infinity',
];
const hole = (index: number) => `raw text ${index}`;
export const fillHoles = (json: string) => json.replace(/"raw text (\d+)"/g, (_, index) => rawTexts[index] as string);

/** Values made from the schemas of the document: those that fit, and those that nearly do. */
export function valueMaker(document: Schema, luck: Chance, pool: Record<string, readonly unknown[]>) {
  const resolve = (schema: Schema): Schema =>
    schema.$ref
      ? schema.$ref
          .split('/')
          .slice(1)
          .reduce((node: Schema, step: string) => node[step], document)
      : schema;

  const digits = (count: number) => Array.from({ length: count }, () => luck.between(0, 15).toString(16)).join('');
  const uuid = () => `${digits(8)}-${digits(4)}-7${digits(3)}-8${digits(3)}-${digits(12)}`;

  function text(schema: Schema): string {
    if (schema.format === 'uuid') return uuid();
    if (schema.format === 'date-time') {
      const at = new Date(luck.between(0, 2 ** 31) * luck.pick([1, 1000, -1000, 86_400])).toISOString();
      return luck.pick([at, at.replace('Z', '+03:00'), at.replace(/\.\d+Z/, 'z'), at.replace('Z', '123456-11:59')]);
    }
    if (schema.pattern) {
      const samples = ['#a1B2c3', `code_${digits(6)}`, '-'];
      return samples.find((sample) => new RegExp(schema.pattern).test(sample)) ?? '';
    }
    const { minLength = 0, maxLength = 100 } = schema;
    const length = luck.often(0.1)
      ? luck.pick([minLength, maxLength])
      : luck.between(minLength, Math.min(maxLength, 12));
    const letters = luck.pick(['abc', 'Привет ', '😀𝕏é', '"\\/\n\t', ' aя', 'שלום\u202E', '%+&=?#[];']);
    return Array.from({ length }, () => luck.pick([...letters])).join('');
  }

  function integer({ minimum = -(2 ** 31), maximum = 2 ** 31 }: Schema): number {
    if (luck.often(0.1)) return luck.pick([minimum, maximum]);
    return luck.between(minimum, Math.min(maximum, minimum + 1000));
  }

  function object(schema: Schema): Fields {
    const required: string[] = [...(schema.required ?? [])];
    const chosen = schema.oneOf && luck.pick(schema.oneOf as Schema[]);
    const rivals = new Set((schema.oneOf ?? []).flatMap((one: Schema) => one.required));
    for (const name of chosen?.required ?? []) rivals.delete(name);
    for (const [name, rule] of Object.entries((schema.dependentSchemas ?? {}) as Schema))
      for (const rival of Object.keys(rule.properties)) rivals.add(luck.often(0.5) ? name : rival);
    const fields: Fields = {};
    for (const [name, property] of Object.entries(schema.properties as Record<string, Schema>)) {
      if (rivals.has(name)) continue;
      if (required.includes(name) || chosen?.required.includes(name) || luck.often(0.4))
        fields[name] = valid(property, name);
    }
    return fields;
  }

  /** A value that fits the schema; where the name means a record, mostly one that is there. */
  function valid(given: Schema, name = ''): unknown {
    const schema = resolve(given);
    const known = pool[name];
    if (known?.length && luck.often(0.85)) return luck.pick(known);
    if (schema.enum) return luck.pick(schema.enum);
    if (schema.anyOf) return valid(luck.pick(schema.anyOf), name);
    if (schema.type === 'object') return object(schema);
    if (schema.type === 'array')
      return Array.from({ length: luck.between(schema.minItems ?? 0, 3) }, () => valid(schema.items));
    if (schema.type === 'integer') return integer(schema);
    if (schema.type === 'boolean') return luck.often(0.5);
    return text(schema);
  }

  function hostile(): unknown {
    if (luck.often(0.4)) return luck.pick(hostileTexts);
    if (luck.often(0.4)) return hole(luck.between(0, rawTexts.length - 1));
    return luck.pick([
      null,
      true,
      0,
      -1,
      1.5,
      2 ** 53,
      1e300,
      [],
      {},
      [null],
      [[]],
      Array(600).fill({}),
      { a: { b: 1 } },
    ]);
  }

  /** Every object and list inside a value, itself included. */
  const holders = (value: unknown): (Fields | unknown[])[] =>
    value !== null && typeof value === 'object' ? [value as Fields, ...Object.values(value).flatMap(holders)] : [];

  /** The JSON text of a fitting body with one thing wrong. `isRefused` where no reading of it can be right. */
  function nearly(schema: Schema): { text: string; isRefused: boolean } {
    const body = valid(schema) as Fields;
    const place = luck.pick(holders(body)) as Fields;
    const names = Object.keys(place);
    const name = luck.pick(names.length ? names : ['x']);
    switch (luck.between(0, 3)) {
      case 0:
        place[name] = hostile();
        break;
      case 1:
        delete place[name];
        break;
      case 2: {
        // A name of its own, even where it is one that every object inherits.
        const unknown = luck.pick(['unknown', '__proto__', 'constructor', 'hasOwnProperty', '', 'Items', 'а']);
        const isList = Array.isArray(place);
        if (isList) place.push(hostile());
        else Object.defineProperty(place, unknown, { value: luck.pick([1, {}, 'x']), enumerable: true });
        return { text: fillHoles(JSON.stringify(body)), isRefused: !isList };
      }
      default: {
        const twice = /("(?:name|sku|notes|quantity|phone|kind|isActive|group|city)"):/.exec(JSON.stringify(body))?.[1];
        if (!twice) break;
        const text = JSON.stringify(body).replace(`${twice}:`, `${twice}:1,${twice}:`);
        return { text, isRefused: true };
      }
    }
    return { text: fillHoles(JSON.stringify(body)), isRefused: false };
  }

  return { valid, nearly, hostile, uuid };
}

export type ValueMaker = ReturnType<typeof valueMaker>;
