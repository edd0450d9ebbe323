/**
 * A statement and its values, separate. Templates can be nested:
 *
 *     const mine = sql`store_id = ${storeId}`;
 *     db.all(sql`select * from orders where ${mine} limit ${limit}`);
 *
 * A value never becomes part of the SQL text. A template without nested parts always has the same text, so the engines
 * prepare it once.
 */
export class Sql {
  constructor(
    /** The text around the values: one more than there are values. */
    readonly parts: readonly string[],
    readonly values: readonly unknown[],
    /** PostgreSQL plans it for its values each time. */
    readonly isPlannedEachTime = false,
  ) {}

  /** The text with a placeholder for each value. */
  text(placeholder: (index: number) => string): string {
    let text = this.parts[0] as string;
    for (let index = 1; index < this.parts.length; index++) text += placeholder(index) + this.parts[index];
    return text;
  }
}

export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  if (!values.some((value) => value instanceof Sql)) return new Sql(strings, values);
  const text = new Composer();
  for (let index = 0; index < strings.length; index++) {
    text.open += strings[index];
    if (index === values.length) break;
    const value = values[index];
    if (value instanceof Sql) text.add(value);
    else text.addValue(value);
  }
  return text.done();
}

/** Concatenates fragments. `open` is the text since the last value. */
class Composer {
  open = '';
  private readonly parts: string[] = [];
  private readonly values: unknown[] = [];

  add({ parts, values }: Sql) {
    this.open += parts[0];
    for (let index = 1; index < parts.length; index++) {
      this.addValue(values[index - 1]);
      this.open = parts[index] as string;
    }
  }

  addValue(value: unknown) {
    this.parts.push(this.open);
    this.values.push(value);
    this.open = '';
  }

  done() {
    this.parts.push(this.open);
    return new Sql(this.parts, this.values);
  }
}

/** For a statement whose best plan depends on its values. On PostgreSQL it is parsed and planned each time it is run. */
export const plannedEachTime = ({ parts, values }: Sql) => new Sql(parts, values, true);

/** SQL text that is not escaped: never pass input of a caller. */
export const raw = (text: string) => new Sql([text], []);

export const empty = raw('');

export function join(pieces: readonly Sql[], separator: string): Sql {
  const text = new Composer();
  for (const [index, piece] of pieces.entries()) {
    if (index) text.open += separator;
    text.add(piece);
  }
  return text.done();
}

export const all = (conditions: readonly Sql[]) => join(conditions, ' and ');

/** `(1, 'a'), (2, 'b')` for an insert of several rows. */
export const rows = (table: readonly (readonly unknown[])[]) =>
  join(
    table.map(
      (row) =>
        sql`(${join(
          row.map((value) => sql`${value}`),
          ', ',
        )})`,
    ),
    ', ',
  );
