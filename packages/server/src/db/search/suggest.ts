import { setImmediate as nextIteration } from 'node:timers/promises';
import { queryWords, spellingStart } from '../../text/search-terms.ts';
import type { Queryable } from '../queryable.ts';
import { firstTerms, type Searched } from './record-terms.ts';

const alphabets: readonly [RegExp, string][] = [
  [/^[а-яё]+$/u, 'абвгдежзийклмнопрстуфхцчшщъыьэюя'],
  [/^[a-z]+$/, 'abcdefghijklmnopqrstuvwxyz'],
];
/** One letter of a shorter word changed is another word. A longer one has more than 1,400 variants. */
const MIN_LENGTH = 3;
const MAX_LENGTH = 20;
/** Maximum words of a text that are corrected. */
const MAX_CORRECTED = 2;
/** Maximum variants looked up in one statement. */
const SLICE_SIZE = 500;

/**
 * The page that is found; if it is empty, with a text that differs by a letter of a word and finds something. The cost
 * does not depend on the number of records: each variant of a word is a lookup in the index of terms.
 */
export async function orSuggest<Page extends { data: readonly unknown[] }>(
  db: Queryable,
  records: Searched,
  storeId: string,
  q: string | undefined,
  find: (q: string | undefined) => Promise<Page>,
): Promise<Page & { suggestion?: string }> {
  const page = await find(q);
  if (page.data.length || q === undefined) return page;
  const suggestion = await correct(db, records, storeId, q);
  return suggestion && (await find(suggestion)).data.length ? { ...page, suggestion } : page;
}

/** The words of a text, those that are in no record replaced by similar ones; undefined if that is not possible. */
async function correct(db: Queryable, records: Searched, storeId: string, text: string): Promise<string | undefined> {
  const corrected: string[] = [];
  let changed = 0;
  for (const word of queryWords(text)) {
    const alphabet = alphabets.find(([letters]) => letters.test(word))?.[1];
    const isKnown = !alphabet || (await firstTerms(db, records, storeId, [spellingStart(word)])).length > 0;
    const similar = isKnown ? word : await similarTo(db, records, storeId, word, alphabet);
    if (similar === undefined || (!isKnown && ++changed > MAX_CORRECTED)) return undefined;
    corrected.push(similar);
  }
  return changed ? corrected.join(' ') : undefined;
}

/** A word of the store that begins as the given one with one letter changed, and is about as long. */
async function similarTo(db: Queryable, records: Searched, storeId: string, word: string, alphabet: string) {
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) return undefined;
  const variants = variantsOf(word, alphabet).map(spellingStart);
  const found: string[] = [];
  for (let start = 0; start < variants.length; start += SLICE_SIZE) {
    found.push(...(await firstTerms(db, records, storeId, variants.slice(start, start + SLICE_SIZE))));
    // SQLite runs in this thread.
    await nextIteration();
  }
  const difference = (term: string) => Math.abs(term.length - spellingStart(word).length);
  const [best] = found.sort((a, b) => difference(a) - difference(b));
  return best?.slice(spellingStart('').length);
}

/** The word with two letters exchanged, or one replaced, added or removed. */
function variantsOf(word: string, alphabet: string): string[] {
  const [exchanged, replaced, added, removed]: [string[], string[], string[], string[]] = [[], [], [], []];
  for (let index = 0; index <= word.length; index++) {
    const [before, after] = [word.slice(0, index), word.slice(index)];
    for (const letter of alphabet) {
      added.push(before + letter + after);
      if (after) replaced.push(before + letter + after.slice(1));
    }
    if (after.length > 1) exchanged.push(before + after.charAt(1) + after.charAt(0) + after.slice(2));
    if (after) removed.push(before + after.slice(1));
  }
  return [...new Set([...exchanged, ...replaced, ...added, ...removed])].filter((variant) => variant !== word);
}
