import { readFileSync } from 'node:fs';

/** Ticks of all processors since the start of the machine, and those of them that its host gave to other machines. */
function ticks(): { all: number; stolen: number } {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const spent = line.split(/ +/).slice(1, 9).map(Number);
    return { all: spent.reduce((sum, each) => sum + each, 0), stolen: spent[7] ?? 0 };
  } catch {
    return { all: 0, stolen: 0 };
  }
}

/**
 * Tells the seconds since it was started, without those that the machine's host gave to others, where the system tells.
 * A rented machine may have half of its processors now and all of them a second later: two rates compare only so.
 */
export function stopwatch(): () => number {
  const [start, before] = [performance.now(), ticks()];
  return () => {
    const [now, after] = [performance.now(), ticks()];
    const share = (after.stolen - before.stolen) / (after.all - before.all || 1);
    return ((now - start) / 1000) * (1 - share);
  };
}
