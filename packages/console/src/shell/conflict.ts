/** A field that someone else changed. `mine` is set if this person changed it too. */
export interface OtherChange {
  /** The path in the form, such as `customer.phone`. */
  field: string;
  theirs: string;
  mine?: string;
}

export type Nested<Values> = {
  [Field in keyof Values]?: Values[Field] extends unknown[]
    ? Values[Field]
    : Values[Field] extends object
      ? Nested<Values[Field]>
      : Values[Field];
};
type Fields = Record<string, unknown>;

const isNested = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The fields that a person changed: only these are sent, so that others' changes to the rest survive. */
export function changedFields<Values extends object>(base: Values, values: Values): Nested<Values> {
  const changed: Fields = {};
  for (const [field, value] of Object.entries(values)) {
    const before = (base as Fields)[field];
    if (same(before, value)) continue;
    changed[field] = isNested(value) && isNested(before) ? changedFields(before, value) : value;
  }
  return changed as Nested<Values>;
}

export const hasChanges = <Values extends object>(base: Values, values: Values) =>
  Object.keys(changedFields(base, values)).length > 0;

/** Puts what this person changed on top of what the others have saved since, and lists the others' changes. */
export function mergeChanges<Values extends object>(base: Values, mine: Values, latest: Values) {
  const changes: OtherChange[] = [];
  const merge = (base: Fields, mine: Fields, latest: Fields, path: string): Fields =>
    Object.fromEntries(
      Object.entries(latest).map(([field, theirs]) => {
        const [before, own] = [base[field], mine[field]];
        // What the others have added is taken as it is.
        if (isNested(theirs))
          return [field, merge((before ?? theirs) as Fields, (own ?? theirs) as Fields, theirs, `${path}${field}.`)];
        const isMine = !same(own, before);
        if (!same(theirs, before) && !same(theirs, own))
          changes.push({ field: path + field, theirs: String(theirs), ...(isMine && { mine: String(own) }) });
        return [field, isMine ? own : theirs];
      }),
    );
  const values = merge(base as Fields, mine as Fields, latest as Fields, '') as Values;
  return { values, changes };
}
