import type { OrderItem } from '@store-sales/contract';
import { phoneKey, readPhone } from '../customers/contact.ts';
import { nameKey } from '../names.ts';

/** Limits of an order with hundreds of lines, and of a long query. */
const MAX_TERMS = 400;
const MAX_TERM_LENGTH = 32;
const MAX_PHONE_DIGITS = 20;
const MAX_QUERY_WORDS = 8;

/** Shorter parts of a phone match too many orders. */
const MIN_PHONE_PART = 3;

/** What an order is found by. */
export interface SearchedOrder {
  number: number;
  externalId: string;
  customer: { name: string; phone: string; email: string };
}

/** A query: alternatives, each of words that must all match, each with its spellings: the start of a term. */
export type SearchQuery = string[][][];

/**
 * The first letter of a term is its kind. The end of a number is marked too, so that its start does not match: a search
 * for an early order would find too many later ones.
 */
const wordTerm = (word: string) => `w${word}`;
const phoneTerm = (digits: string) => `p${digits}`;
const numberTerm = (number: number | string) => `n${number}n`;

/**
 * The terms of an order, most important first. A query matches by the start of a term, so there is a term from each part
 * of a text on: `TS-100/B` has `ts100b`, `100b` and `b`, and a phone one from each of its digits on.
 */
export function searchTerms(
  { number, externalId, customer }: SearchedOrder,
  items: readonly Pick<OrderItem, 'sku' | 'name'>[],
): string[] {
  const terms = new Set([numberTerm(number)]);
  const add = (text: string) => {
    for (const chunk of chunksOf(text)) {
      const parts = partsOf(chunk);
      for (const [index] of parts.entries()) terms.add(wordTerm(shortened(parts.slice(index).join(''))));
    }
  };
  for (const text of [externalId, customer.name, customer.email]) add(text);
  for (const digits of [readPhone(customer.phone).digits, phoneKey(customer.phone) ?? ''])
    for (let rest = digits.slice(-MAX_PHONE_DIGITS); rest.length >= MIN_PHONE_PART; rest = rest.slice(1))
      terms.add(phoneTerm(rest));
  for (const pick of ['sku', 'name'] as const)
    for (const item of items) {
      if (terms.size >= MAX_TERMS) break;
      add(item[pick]);
    }
  return [...terms].slice(0, MAX_TERMS);
}

/** The terms to look for; no alternatives if the text has neither letters nor digits. */
export function searchQuery(text: string): SearchQuery {
  const [, exact] = /^\s*[#№]\s*(\d{1,15})\s*$/u.exec(text) ?? [];
  if (exact) return [[[numberTerm(Number(exact))]]];
  const words = [...new Set(chunksOf(text).flatMap(wordsOf))].slice(0, MAX_QUERY_WORDS);
  const alternatives = words.length ? [words.map(spellingsOf)] : [];
  const isPhone = words.length > 1 && /^[\p{Nd}\s()+.-]+$/u.test(text.normalize('NFKC'));
  const { digits, hasPlus } = readPhone(text);
  if (isPhone && digits.length >= MIN_PHONE_PART) alternatives.push([phoneSpellings(digits, hasPlus)]);
  return alternatives;
}

/** An e-mail or a code is one word, so that its common parts do not have to be looked up; other texts are split. */
const wordsOf = (chunk: string) =>
  /[\p{N}@]/u.test(chunk) ? [partsOf(chunk).join('')].filter(Boolean) : partsOf(chunk);

function spellingsOf(word: string): string[] {
  const spellings = [wordTerm(shortened(word))];
  if (!/^\d+$/.test(word)) return spellings;
  if (word.length <= 15) spellings.push(numberTerm(Number(word)));
  if (word.length >= MIN_PHONE_PART) spellings.push(...phoneSpellings(word));
  return spellings;
}

/** Russian phones are written with 8 or +7. */
const phoneSpellings = (digits: string, hasPlus = false) =>
  (hasPlus || !digits.startsWith('8') ? [digits] : [digits, `7${digits.slice(1)}`]).map((each) =>
    phoneTerm(each.slice(0, MAX_PHONE_DIGITS)),
  );

const chunksOf = (text: string) => nameKey(text).replaceAll('ё', 'е').split(/\s+/u).filter(Boolean);
const partsOf = (chunk: string): string[] => chunk.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
const shortened = (word: string) =>
  word.length > MAX_TERM_LENGTH ? Array.from(word).slice(0, MAX_TERM_LENGTH).join('') : word;
