/**
 * A statement and its values, kept apart. Written as a template, nested freely:
 *
 *     const mine = sql`store_id = ${storeId}`;
 *     db.all(sql`select * from orders where ${mine} limit ${limit}`);
 *
 * A value never becomes part of the text. A template without nested parts has one text for ever, so the
 * engines prepare it once.
 */
export class Sql {
  constructor(
    /** One more than there are values: the text around them. */
    readonly parts: readonly string[],
    readonly values: readonly unknown[],
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
  return concat(
    strings.flatMap((text, index) => {
      if (index === 0) return [raw(text)];
      const value = values[index - 1];
      return [value instanceof Sql ? value : new Sql(['', ''], [value]), raw(text)];
    }),
  );
}

function concat(pieces: readonly Sql[]): Sql {
  const parts: string[] = [];
  const values: unknown[] = [];
  let open = '';
  for (const piece of pieces) {
    for (const [index, part] of piece.parts.entries()) {
      if (index > 0) {
        parts.push(open);
        open = '';
      }
      open += part;
    }
    values.push(...piece.values);
  }
  return new Sql([...parts, open], values);
}

/** Text of ours, never a caller's: a column, a direction, a piece of another dialect. */
export const raw = (text: string) => new Sql([text], []);

export const empty = raw('');

export const join = (pieces: readonly Sql[], separator: string) =>
  concat(pieces.flatMap((piece, index) => (index ? [raw(separator), piece] : [piece])));

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
