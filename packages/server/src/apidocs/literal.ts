/** How a language writes values. */
interface Syntax {
  indent: string;
  object: readonly [string, string];
  /** A name and its value in an object. */
  entry(name: string, value: string): string;
  string(text: string): string;
  constants: Record<string, string>;
}

const single = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`;
/** Escapes of JSON are valid in JavaScript and Python. */
const escaped = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

export const javascript: Syntax = {
  indent: '  ',
  object: ['{', '}'],
  entry: (name, value) => `${/^[A-Za-z_]\w*$/.test(name) ? name : escaped(name)}: ${value}`,
  string: escaped,
  constants: { true: 'true', false: 'false', null: 'null' },
};

export const python: Syntax = {
  indent: '    ',
  object: ['{', '}'],
  entry: (name, value) => `${JSON.stringify(name)}: ${value}`,
  string: (text) => JSON.stringify(text),
  constants: { true: 'True', false: 'False', null: 'None' },
};

export const php: Syntax = {
  indent: '    ',
  object: ['[', ']'],
  entry: (name, value) => `${single(name)} => ${value}`,
  string: single,
  constants: { true: 'true', false: 'false', null: 'null' },
};

/** A JSON value as source code, indented like the line it begins in. */
export function literal(value: unknown, syntax: Syntax, margin = ''): string {
  if (typeof value === 'string') return syntax.string(value);
  if (value === null || typeof value !== 'object') return syntax.constants[String(value)] ?? String(value);
  const inside = margin + syntax.indent;
  const parts = Array.isArray(value)
    ? value.map((entry) => literal(entry, syntax, inside))
    : Object.entries(value).map(([name, entry]) => syntax.entry(name, literal(entry, syntax, inside)));
  const [open, close] = Array.isArray(value) ? ['[', ']'] : syntax.object;
  if (!parts.length) return open + close;
  return `${open}\n${parts.map((part) => `${inside}${part},\n`).join('')}${margin}${close}`;
}
