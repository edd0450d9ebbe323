import { readFileSync } from 'node:fs';

/** CPU ticks of the machine since boot, and those stolen by its hypervisor. */
function cpuTicks(): { all: number; stolen: number } {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const fields = line.split(/ +/).slice(1, 9).map(Number);
    return { all: fields.reduce((sum, ticks) => sum + ticks, 0), stolen: fields[7] ?? 0 };
  } catch {
    return { all: 0, stolen: 0 };
  }
}

/**
 * Returns a function that gives the seconds since the start, less the share of stolen CPU time (Linux only). A virtual
 * machine may lose half of its CPU from one second to the next, which would make two rates incomparable.
 */
export function stopwatch(): () => number {
  const [start, before] = [performance.now(), cpuTicks()];
  return () => {
    const [now, after] = [performance.now(), cpuTicks()];
    const share = (after.stolen - before.stolen) / (after.all - before.all || 1);
    return ((now - start) / 1000) * (1 - share);
  };
}
