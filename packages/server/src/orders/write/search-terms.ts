import { addressFields, type OrderItem } from '@store-sales/contract';
import { contactQuery, contactSpellings, phoneTerms } from '../../customers/search-terms.ts';
import { keyTerms, type SearchQuery, searchKey, textTerms } from '../../text/search-terms.ts';
import type { Address } from '../document.ts';

export type { SearchQuery };

/** Limits of an order with hundreds of lines or a long note. */
const MAX_TERMS = 400;
const MAX_LENGTH = 10_000;

/** What an order is found by. */
export interface SearchedOrder {
  number: number;
  externalId: string;
  customer: { name: string; phone: string; email: string };
  delivery: Address;
  notes: string;
}

/** The end of a number is marked, so that its start does not match: a search for an early order would find too many later ones. */
const numberTerm = (number: number | string) => `n${number}n`;

/** The terms of an order, most important first. */
export function searchTerms(
  { number, externalId, customer, delivery, notes }: SearchedOrder,
  items: readonly Pick<OrderItem, 'sku' | 'name'>[],
): string[] {
  const terms = new Set([numberTerm(number)]);
  const add = (found: readonly string[]) => {
    for (const term of found) terms.add(term);
  };
  for (const text of [externalId, customer.name, customer.email]) add(textTerms(text));
  add(phoneTerms(customer.phone));
  const others = [
    ...items.map(({ sku }) => sku),
    ...items.map(({ name }) => name),
    ...addressFields.map((field) => delivery[field]),
    notes,
  ];
  let left = MAX_LENGTH;
  for (const text of new Set(others)) {
    if (terms.size >= MAX_TERMS || left <= 0) break;
    const key = searchKey(text).slice(0, left);
    left -= key.length;
    add(keyTerms(key));
  }
  return [...terms].slice(0, MAX_TERMS);
}

/** The terms to look for; no alternatives if the text has neither letters nor digits. */
export function searchQuery(text: string): SearchQuery {
  const [, exact] = /^\s*[#№]\s*(\d{1,15})\s*$/u.exec(text) ?? [];
  return exact ? [[[numberTerm(Number(exact))]]] : contactQuery(text, spellingsOf);
}

const spellingsOf = (word: string): string[] => [
  ...contactSpellings(word),
  ...(/^\d{1,15}$/.test(word) ? [numberTerm(Number(word))] : []),
];

/**
 * Orders per block. A term begins with its store and block, so a lookup in one block visits at most this many orders,
 * however common the word, and no other store's.
 */
export const BLOCK_SIZE = 8192;

export const blockOf = (number: number) => Math.floor(number / BLOCK_SIZE);

export const PREFIX_LENGTH = 7;

/** Of a fixed length. Stores with the same ending of their ids share terms, but never rows. */
export const prefixOf = (storeId: string, block: number) => storeId.slice(-4) + block.toString(36).padStart(3, '0');

/** The terms of an order as they are stored. */
export const storedTerms = (storeId: string, number: number, terms: readonly string[]) => {
  const prefix = prefixOf(storeId, blockOf(number));
  return terms.map((term) => prefix + term);
};
