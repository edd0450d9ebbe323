import type { Caller } from '../keys/authenticate.ts';

export interface KeptAnswer {
  headers?: Record<string, string>;
  body: Buffer;
}

interface Kept {
  seq: number;
  ts: number;
  answer: KeptAnswer;
  size: number;
}

/** What an entry takes besides its name and its bytes, about. */
const FRAME = 300;

/**
 * Answers that follow from the address and the store's change number alone, so that an integrator who polls costs
 * no more than the look at the key that every request takes: it brings the number along, and an answer made under
 * another is made anew. The number may be older than the answer, never newer, so none is ever out of date. Its time
 * counts too: a database that lost its last changes gives their numbers out again. docs/decisions/kept-answers.md
 */
export function answerKeeper(limit: number) {
  // Half of the room is for what was wanted lately; when it is full, what was not wanted since the last time goes.
  let [fresh, old] = [new Map<string, Kept>(), new Map<string, Kept>()];
  let room = limit / 2;

  function put(name: string, kept: Kept) {
    room += (fresh.get(name)?.size ?? 0) - kept.size;
    fresh.set(name, kept);
    if (room > 0) return;
    [fresh, old] = [new Map(), fresh];
    room = limit / 2;
  }

  return {
    find({ store_id, seq, ts }: Caller, url: string): KeptAnswer | undefined {
      const name = store_id + url;
      const lately = fresh.get(name);
      const found = lately ?? old.get(name);
      if (found?.seq !== seq || found.ts !== ts) return undefined;
      if (!lately) put(name, found);
      return found.answer;
    },
    keep({ store_id, seq, ts }: Caller, url: string, answer: KeptAnswer) {
      const size = store_id.length + url.length + answer.body.length + FRAME;
      if (size <= limit / 20) put(store_id + url, { seq, ts, answer, size });
    },
  };
}
