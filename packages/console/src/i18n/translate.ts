import type { Dictionary } from './en.ts';
import type { LazyTexts } from './lazy-texts.ts';

type Paths<Shape> = {
  [Key in keyof Shape & string]: Shape[Key] extends string ? Key : `${Key}.${Paths<Shape[Key]>}`;
}[keyof Shape & string];

/** The path of a text, such as `common.save`. */
export type TextKey = Paths<Dictionary & LazyTexts>;

/** `defaultValue` is returned if there is no such text. */
export type TextParams = Record<string, unknown> & { defaultValue?: string };
export type Translate = (key: TextKey, params?: TextParams) => string;

/** `{{name}}`, `{{name, number}}`, `{{names, list(type: disjunction)}}`, `{{at, datetime(dateStyle: medium)}}`. */
const PLACEHOLDER = /\{\{(\w+)(?:, (\w+)(?:\(([^)]*)\))?)?\}\}/g;

interface Nested {
  [key: string]: string | Nested;
}

/** All texts by their path. A key may contain dots itself. */
const pathsOf = (texts: Nested, prefix = ''): [string, string][] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string' ? [[prefix + key, text]] : pathsOf(text, `${prefix}${key}.`),
  );

/** Reads texts of a dictionary and fills in their parameters. */
export function translator(dictionary: Dictionary & Partial<LazyTexts>, language: string): Translate {
  const texts = new Map(pathsOf(dictionary as Nested));
  return (key, params = {}) => {
    const text = texts.get(key);
    if (text === undefined) return params.defaultValue ?? key;
    return text.replace(PLACEHOLDER, (_all, name: string, format: string | undefined, options = '') => {
      const value = params[name];
      return format ? formatted(language, format, optionsOf(options), value) : String(value ?? '');
    });
  };
}

/** `dateStyle: medium; timeStyle: short` as an object. */
const optionsOf = (text: string): Record<string, string> =>
  Object.fromEntries(text.split('; ').map((option) => option.split(': ')));

function formatted(language: string, format: string, options: Record<string, string>, value: unknown): string {
  if (format === 'number') return new Intl.NumberFormat(language, options).format(value as number);
  if (format === 'list') return new Intl.ListFormat(language, options).format(value as string[]);
  return new Intl.DateTimeFormat(language, options).format(value as Date | number);
}
