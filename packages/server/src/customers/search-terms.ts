import type { TermChange } from '../db/search/record-terms.ts';
import { queryWords, type SearchQuery, textTerms, wordQuery, wordSpellings } from '../text/search-terms.ts';
import { phoneKey, readPhone } from './contact.ts';

const MAX_PHONE_DIGITS = 20;
/** Shorter parts of a phone match too many records. */
const MIN_PHONE_PART = 3;
/** Limit for each text of a customer. */
const MAX_TEXT_TERMS = 32;

const phoneTerm = (digits: string) => `p${digits}`;

/** There is a term from each digit of a phone on, so that a query finds any part of it. */
export function phoneTerms(phone: string): string[] {
  const digits = (phoneKey(phone) ?? '').slice(-MAX_PHONE_DIGITS);
  return Array.from({ length: Math.max(digits.length - MIN_PHONE_PART + 1, 0) }, (_, start) =>
    phoneTerm(digits.slice(start)),
  );
}

const searchedFields = ['name', 'phone', 'email', 'external_id'] as const;
type SearchedField = (typeof searchedFields)[number];
type SearchedCustomer = Record<SearchedField, string | null>;

/** The terms of one field of a customer. A customer has those of all fields, so that a change of one leaves the others. */
export const fieldTerms = (field: SearchedField, text: string | null): string[] =>
  field === 'phone' ? phoneTerms(text ?? '') : [...new Set(textTerms(text ?? ''))].slice(0, MAX_TEXT_TERMS);

export const customerTerms = (customer: SearchedCustomer): string[] => [
  ...new Set(searchedFields.flatMap((field) => fieldTerms(field, customer[field]))),
];

/** The change of a customer's terms; without `before` the customer is new. */
export function termChange(id: string, before: SearchedCustomer | undefined, after: SearchedCustomer): TermChange {
  if (before && searchedFields.every((field) => before[field] === after[field])) return { id, before: [], after: [] };
  return { id, before: before ? customerTerms(before) : [], after: customerTerms(after) };
}

/** A query for words and for parts of phones, which may be written with spaces. */
export function contactQuery(text: string, spellingsOf = contactSpellings): SearchQuery {
  const query = wordQuery(text, spellingsOf);
  const isPhone = queryWords(text).length > 1 && /^[\p{Nd}\s()+.-]+$/u.test(text.normalize('NFKC'));
  const { digits, hasPlus } = readPhone(text);
  if (isPhone && digits.length >= MIN_PHONE_PART) query.push([phoneSpellings(digits, hasPlus)]);
  return query;
}

export function contactSpellings(word: string): string[] {
  const isPhonePart = /^\d+$/.test(word) && word.length >= MIN_PHONE_PART;
  return [...wordSpellings(word), ...(isPhonePart ? phoneSpellings(word) : [])];
}

/** Russian phones are written with 8 or +7. */
const phoneSpellings = (digits: string, hasPlus = false) =>
  (hasPlus || !digits.startsWith('8') ? [digits] : [digits, `7${digits.slice(1)}`]).map((each) =>
    phoneTerm(each.slice(0, MAX_PHONE_DIGITS)),
  );
