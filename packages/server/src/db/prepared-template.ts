import type { Dialect } from './dialect.ts';
import { Sql } from './sql.ts';

class Placeholder {
  constructor(readonly index: number) {}
}

/**
 * A statement that is composed once per dialect; later calls only replace its values. The builder receives placeholders
 * and must not read them.
 */
export function preparedTemplate<Values extends unknown[]>(build: (dialect: Dialect, ...values: Values) => Sql) {
  const templates = new Map<Dialect, Sql>();
  const compose = (dialect: Dialect, count: number) => {
    const placeholders = Array.from({ length: count }, (_, index) => new Placeholder(index));
    const { parts, values } = build(dialect, ...(placeholders as unknown[] as Values));
    const template = new Sql(Object.freeze(parts), values);
    templates.set(dialect, template);
    return template;
  };
  return (dialect: Dialect, ...values: Values): Sql => {
    const template = templates.get(dialect) ?? compose(dialect, values.length);
    return new Sql(
      template.parts,
      template.values.map((value) => (value instanceof Placeholder ? values[value.index] : value)),
    );
  };
}
