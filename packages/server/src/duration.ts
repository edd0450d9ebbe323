const units = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, y: 31_536_000_000 };

/** Parses `90d` to milliseconds; undefined if the text is not a duration. */
export function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9})([smhdy])$/.exec(text) ?? [];
  return count && unit ? Number(count) * units[unit as keyof typeof units] : undefined;
}
