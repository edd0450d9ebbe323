import type { Dialect } from './dialect.ts';
import { Sql } from './sql.ts';

class Slot {
  constructor(readonly index: number) {}
}

/**
 * A statement that is composed once for each dialect; after that only its values are put in. What the builder is
 * given in place of the values stands for them and is not to be looked at.
 */
export function fixed<Values extends unknown[]>(build: (dialect: Dialect, ...values: Values) => Sql) {
  const known = new Map<Dialect, Sql>();
  const compose = (dialect: Dialect, count: number) => {
    const slots = Array.from({ length: count }, (_, index) => new Slot(index));
    const { parts, values } = build(dialect, ...(slots as unknown[] as Values));
    const made = new Sql(Object.freeze(parts), values);
    known.set(dialect, made);
    return made;
  };
  return (dialect: Dialect, ...values: Values): Sql => {
    const made = known.get(dialect) ?? compose(dialect, values.length);
    return new Sql(
      made.parts,
      made.values.map((value) => (value instanceof Slot ? values[value.index] : value)),
    );
  };
}
