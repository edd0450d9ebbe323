export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** `share` is between 0 and 1; 1 gives the largest value. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}
