/** Parameters that are not filters. */
const nonFilters = new Set(['order', 'cursor', 'limit', 'with']);

const text = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value));

/** `{ status: 'new', updatedAt: { from } }` as `filter[status]=new&filter[updatedAt][from]=…`. */
export function queryString(query: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (nonFilters.has(name)) search.set(name, text(value));
    else if (typeof value !== 'object') search.set(`filter[${name}]`, text(value));
    else
      for (const [bound, instant] of Object.entries(value as object))
        if (instant !== undefined) search.set(`filter[${name}][${bound}]`, text(instant));
  }
  const encoded = search.toString();
  return encoded && `?${encoded}`;
}
