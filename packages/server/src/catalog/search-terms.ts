import type { TermChange } from '../db/search/record-terms.ts';
import { textTerms } from '../text/search-terms.ts';

/** Limit for each text of a product. */
const MAX_TEXT_TERMS = 32;

/** What a product is found by. */
export interface SearchedProduct {
  name: string;
  sku: string | null;
  external_id: string | null;
}

const searchedFields = ['name', 'sku', 'external_id'] as const;

/** The change of a product's terms; without `before` the product is new. */
export function termChange(id: string, before: SearchedProduct | undefined, after: SearchedProduct): TermChange {
  if (before && searchedFields.every((field) => before[field] === after[field])) return { id, before: [], after: [] };
  return { id, before: before ? productTerms(before) : [], after: productTerms(after) };
}

export const productTerms = ({ name, sku, external_id }: SearchedProduct): string[] => [
  ...new Set([name, sku, external_id].flatMap((text) => [...new Set(textTerms(text ?? ''))].slice(0, MAX_TEXT_TERMS))),
];
