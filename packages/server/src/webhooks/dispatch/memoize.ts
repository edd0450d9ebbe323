/** Endpoints that are sent to at about the same time. */
const MOST = 1000;

/** What takes longer to work out for each delivery than to look up. */
export function memoize<Result>(work: (text: string) => Result) {
  const known = new Map<string, Result>();
  return (text: string): Result => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MOST) known.clear();
    const result = work(text);
    known.set(text, result);
    return result;
  };
}
