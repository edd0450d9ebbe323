import { nameKey } from './names.ts';

const MAX_TERM_LENGTH = 32;
const MAX_QUERY_WORDS = 8;

/** A query: alternatives, each of words that must all match, each with its spellings: the start of a term. */
export type SearchQuery = string[][][];

/** The first letter of a term is its kind. */
const wordTerm = (word: string) => `w${word}`;

/** Longest text that is searched, as it is compared: normalizing makes 18 characters of one, and strangers type these. */
const MAX_TEXT_LENGTH = 1000;

/** A text as its words are compared. */
export const searchKey = (text: string) => nameKey(text).replaceAll('ё', 'е');

/**
 * The terms of a text. A query matches by the start of a term, so there is a term from each part of a word on: `TS-100/B`
 * has `ts100b`, `100b` and `b`.
 */
export const textTerms = (text: string): string[] => keyTerms(searchKey(text).slice(0, MAX_TEXT_LENGTH));

/** The same for a text of any length, as `searchKey` returns it. */
export const keyTerms = (key: string): string[] =>
  chunksIn(key).flatMap((chunk) => {
    const parts = partsOf(chunk);
    return parts.map((_, index) => wordTerm(shortened(joinedFrom(parts, index))));
  });

/** Enough of the parts for a term. A letter may take two characters. */
function joinedFrom(parts: readonly string[], start: number): string {
  let text = '';
  for (let index = start; index < parts.length && text.length < 2 * MAX_TERM_LENGTH; index++) text += parts[index];
  return text;
}

/** The words of a query. An e-mail or a code is one, so that its common parts do not have to be looked up. */
export const queryWords = (text: string): string[] =>
  [
    ...new Set(
      chunksIn(searchKey(text)).flatMap((chunk) =>
        /[\p{N}@]/u.test(chunk) ? [partsOf(chunk).join('')].filter(Boolean) : partsOf(chunk),
      ),
    ),
  ].slice(0, MAX_QUERY_WORDS);

/** What the term of a word starts with. */
export const spellingStart = (word: string): string => wordTerm(shortened(word));
export const wordSpellings = (word: string): string[] => [spellingStart(word)];

/** A query that needs all words of a text; no alternatives if it has neither letters nor digits. */
export function wordQuery(text: string, spellingsOf = wordSpellings): SearchQuery {
  const words = queryWords(text);
  return words.length ? [words.map(spellingsOf)] : [];
}

const chunksIn = (key: string) => key.split(/\s+/u).filter(Boolean);
const partsOf = (chunk: string): string[] => chunk.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
const shortened = (word: string) =>
  word.length > MAX_TERM_LENGTH ? Array.from(word).slice(0, MAX_TERM_LENGTH).join('') : word;
