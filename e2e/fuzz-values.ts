import type { Random } from '@store-sales/server/demo/random';

export type Schema = Record<string, any>;
type Fields = Record<string, unknown>;

/** Problematic strings: NUL, lone surrogates, 4-byte characters, right-to-left, prototype names, SQL, very long. */
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

/** Inserted into the body verbatim: JSON.stringify would not produce them. */
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
const placeholder = (index: number) => `raw text ${index}`;
export const fillHoles = (json: string) => json.replace(/"raw text (\d+)"/g, (_, index) => rawTexts[index] as string);

/** Generates valid and almost valid values from the schemas. */
export function valueMaker(document: Schema, random: Random, pool: Record<string, readonly unknown[]>) {
  const resolve = (schema: Schema): Schema =>
    schema.$ref
      ? schema.$ref
          .split('/')
          .slice(1)
          .reduce((node: Schema, step: string) => node[step], document)
      : schema;

  /** Objects that take keys of the caller's choice, such as metadata. */
  const maps = new WeakSet<object>();

  const digits = (count: number) => Array.from({ length: count }, () => random.between(0, 15).toString(16)).join('');
  const uuid = () => `${digits(8)}-${digits(4)}-7${digits(3)}-8${digits(3)}-${digits(12)}`;

  function text(schema: Schema): string {
    if (schema.format === 'uuid') return uuid();
    if (schema.format === 'date-time') {
      const at = new Date(random.between(0, 2 ** 31) * random.pick([1, 1000, -1000, 86_400])).toISOString();
      return random.pick([at, at.replace('Z', '+03:00'), at.replace(/\.\d+Z/, 'z'), at.replace('Z', '123456-11:59')]);
    }
    if (schema.pattern) {
      const samples = ['#a1B2c3', `code_${digits(6)}`, '-'];
      return samples.find((sample) => new RegExp(schema.pattern).test(sample)) ?? '';
    }
    const { minLength = 0, maxLength = 100 } = schema;
    const length = random.boolean(0.1)
      ? random.pick([minLength, maxLength])
      : random.between(minLength, Math.min(maxLength, 12));
    const letters = random.pick(['abc', 'Привет ', '😀𝕏é', '"\\/\n\t', ' aя', 'שלום\u202E', '%+&=?#[];']);
    return Array.from({ length }, () => random.pick([...letters])).join('');
  }

  function integer({ minimum = -(2 ** 31), maximum = 2 ** 31 }: Schema): number {
    if (random.boolean(0.1)) return random.pick([minimum, maximum]);
    return random.between(minimum, Math.min(maximum, minimum + 1000));
  }

  function object(schema: Schema): Fields {
    const required: string[] = [...(schema.required ?? [])];
    const chosen = schema.oneOf && random.pick(schema.oneOf as Schema[]);
    const conflicting = new Set((schema.oneOf ?? []).flatMap((one: Schema) => one.required));
    for (const name of chosen?.required ?? []) conflicting.delete(name);
    for (const [name, rule] of Object.entries((schema.dependentSchemas ?? {}) as Schema))
      for (const other of Object.keys(rule.properties)) conflicting.add(random.boolean(0.5) ? name : other);
    for (const name of chosen?.required ?? []) required.push(...(schema.dependentRequired?.[name] ?? []));
    const fields: Fields = {};
    for (const [name, property] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
      if (conflicting.has(name)) continue;
      if (required.includes(name) || chosen?.required.includes(name) || random.boolean(0.4))
        fields[name] = valid(property, name);
    }
    if (schema.propertyNames) {
      maps.add(fields);
      for (let count = random.between(0, 2); count > 0; count--)
        fields[`key-${digits(3)}`] = valid(schema.additionalProperties);
    }
    return fields;
  }

  /** A valid value; for a reference to a record, usually an existing one. */
  function valid(given: Schema, name = ''): unknown {
    const schema = resolve(given);
    const known = pool[name];
    if (known?.length && random.boolean(0.85)) return random.pick(known);
    if (schema.enum) return random.pick(schema.enum);
    if (schema.anyOf) return valid(random.pick(schema.anyOf), name);
    if (schema.type === 'object') return object(schema);
    if (schema.type === 'array')
      return Array.from({ length: random.between(schema.minItems ?? 0, 3) }, () => valid(schema.items));
    if (schema.type === 'integer') return integer(schema);
    if (schema.type === 'boolean') return random.boolean(0.5);
    return text(schema);
  }

  function hostile(): unknown {
    if (random.boolean(0.4)) return random.pick(hostileTexts);
    if (random.boolean(0.4)) return placeholder(random.between(0, rawTexts.length - 1));
    return random.pick([
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

  /** All objects and arrays in a value, including itself. */
  const holders = (value: unknown): (Fields | unknown[])[] =>
    value !== null && typeof value === 'object' ? [value as Fields, ...Object.values(value).flatMap(holders)] : [];

  /** The JSON of a valid body with one mutation. `isRejected`: it must be rejected. */
  function nearly(schema: Schema): { text: string; isRejected: boolean } {
    const body = valid(schema) as Fields;
    const target = random.pick(holders(body)) as Fields;
    const names = Object.keys(target);
    const name = random.pick(names.length ? names : ['x']);
    switch (random.between(0, 3)) {
      case 0:
        target[name] = hostile();
        break;
      case 1:
        delete target[name];
        break;
      case 2: {
        // An own property, even for inherited names such as `constructor`.
        const unknown = random.pick(['unknown', '__proto__', 'constructor', 'hasOwnProperty', '', 'Items', 'а']);
        const isList = Array.isArray(target);
        if (isList) target.push(hostile());
        else Object.defineProperty(target, unknown, { value: random.pick([1, {}, 'x']), enumerable: true });
        return { text: fillHoles(JSON.stringify(body)), isRejected: !isList && !maps.has(target) };
      }
      default: {
        const twice = /("(?:name|sku|notes|quantity|phone|kind|isActive|group|city)"):/.exec(JSON.stringify(body))?.[1];
        if (!twice) break;
        const text = JSON.stringify(body).replace(`${twice}:`, `${twice}:1,${twice}:`);
        return { text, isRejected: true };
      }
    }
    return { text: fillHoles(JSON.stringify(body)), isRejected: false };
  }

  return { valid, nearly, hostile, uuid };
}

export type ValueMaker = ReturnType<typeof valueMaker>;
