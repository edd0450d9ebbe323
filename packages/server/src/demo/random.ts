/** Seeded random numbers: the same seed gives the same sequence (mulberry32). */
export function seededRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    /** An integer from `low` to `high`, inclusive. */
    between: (low: number, high: number) => low + Math.floor(next() * (high - low + 1)),
    pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)] as Item,
    /** True with this probability. */
    boolean: (probability: number) => next() < probability,
  };
}

export type Random = ReturnType<typeof seededRandom>;
