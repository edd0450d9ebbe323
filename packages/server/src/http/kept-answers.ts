import type { Caller } from '../keys/authenticate.ts';
import type { Answer } from './bind.ts';

export type KeptAnswer = Answer<never> & { body: Buffer };

interface Kept {
  seq: number;
  answer: KeptAnswer;
  size: number;
}

/** What an entry takes besides its name and its bytes, about. */
const FRAME = 300;

/**
 * Answers that follow from the address and the store's change number alone, so that an integrator who polls costs
 * no more than the look at the key that every request takes: it brings the number along, and an answer made under
 * another is made anew. The number may be older than the answer, never newer, so none is ever out of date:
 * docs/decisions/kept-answers.md.
 */
export function answerKeeper(limit: number) {
  const kept = new Map<string, Kept>();
  let size = 0;

  function drop(name: string) {
    size -= kept.get(name)?.size ?? 0;
    kept.delete(name);
  }

  return {
    find({ store_id, seq }: Caller, url: string): KeptAnswer | undefined {
      const name = store_id + url;
      const found = kept.get(name);
      if (found?.seq !== seq) return undefined;
      // To the end: the one that was not wanted for longest is the first.
      kept.delete(name);
      kept.set(name, found);
      return found.answer;
    },
    keep({ store_id, seq }: Caller, url: string, answer: KeptAnswer) {
      const name = store_id + url;
      const own = name.length + answer.body.length + FRAME;
      if (own > limit / 10) return;
      drop(name);
      kept.set(name, { seq, answer, size: own });
      size += own;
      while (size > limit) drop(kept.keys().next().value as string);
    },
  };
}
