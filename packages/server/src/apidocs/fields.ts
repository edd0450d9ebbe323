import { MAX_AMOUNT } from '@store-sales/contract';
import { type Html, html, joined, type Part, prose } from '../http/html.ts';
import { inner, type Operation, type Reference, type Schema } from './document.ts';

interface Field {
  name: string;
  /** The names above it, outermost first. */
  parents: readonly string[];
  isRequired: boolean;
  schema: Schema;
}

/** The fields of an object, each followed by those inside it. */
export function fieldsOf(reference: Reference, schema: Schema, parents: readonly string[] = []): Field[] {
  const { properties = {}, required = [] } = reference.resolve(schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const resolved = { ...reference.resolve(property), ...property };
    const field = { name, parents, isRequired: required.includes(name), schema: resolved };
    const step = resolved.type === 'array' ? `${name}[]` : name;
    const below = inner(reference, property);
    return [
      field,
      ...(below === property && !resolved.properties ? [] : fieldsOf(reference, below, [...parents, step])),
    ];
  });
}

const formats: Record<string, string> = { uuid: 'UUID', 'date-time': 'date-time', uri: 'URL' };

/** `string, UUID`, `array of objects`, `object or null`. */
export function typeOf(reference: Reference, schema: Schema): string {
  const { type = 'any', format, anyOf, items, maximum } = reference.resolve(schema);
  if (anyOf) return [...new Set(anyOf.map((choice) => typeOf(reference, choice)))].join(' or ');
  if (type === 'array' && items) return `array of ${typeOf(reference, items)}s`;
  if (maximum === MAX_AMOUNT) return `${type}, kopecks`;
  return format ? `${type}, ${formats[format] ?? format}` : type;
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const bounded = max !== undefined && max < MAX_AMOUNT;
  const count = (value: number) => value.toLocaleString('en');
  if (min && bounded) return `${count(min)} to ${count(max)}${unit}`;
  if (bounded) return `At most ${count(max)}${unit}`;
  return min === undefined ? undefined : `${count(min)}${unit} or more`;
}

/** Above this, only the first values are shown. */
const MAX_SHOWN_VALUES = 10;

const codes = (values: readonly string[]) =>
  joined(
    values.map((value) => html`<code>${value}</code>`),
    ', ',
  );

const oneOf = (values: readonly string[]) =>
  values.length > MAX_SHOWN_VALUES
    ? html`One of ${values.length} values: ${codes(values.slice(0, 3))}, …`
    : html`One of ${codes(values)}`;

function rules(schema: Schema): Part[] {
  const [sample] = schema.examples ?? [];
  const found: (Part | undefined)[] = [
    // The format already implies the length.
    !schema.format && range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minimum, schema.maximum, ''),
    range(schema.minItems, schema.maxItems, ' entries'),
    schema.pattern && html`Pattern <code>${schema.pattern}</code>`,
    typeof sample === 'string' && html`Example <code>${sample}</code>`,
    schema.default !== undefined && html`Default <code>${String(schema.default)}</code>`,
  ];
  return found.filter(Boolean).map((rule) => html`<span class="rule">${rule}</span>`);
}

interface Row {
  /** The anchor of its table. */
  table: string;
  name: string;
  parents?: readonly string[];
  mark?: Part;
  type: string;
  schema: Schema;
  description?: string | undefined;
  isResponse?: boolean;
}

/** `createOrder-body.items.quantity`, `listOrders-parameters.filter.updatedAt.from`. */
const anchorOf = (table: string, names: readonly string[]) =>
  [table, ...names].join('.').replaceAll('[]', '').replaceAll('[', '.').replaceAll(']', '');

function row({ table, name, parents = [], mark, type, schema, description, isResponse }: Row): Html {
  const anchor = anchorOf(table, [...parents, name]);
  // Indentation shows the parents; screen readers get their names.
  const above = parents.length > 0 && html`<span class="unseen">${parents.join('.')}.</span>`;
  const values = schema.enum && html`<p>${oneOf(schema.enum)}</p>`;
  const limits = isResponse ? [] : rules(schema);
  return html`<tr id="${anchor}">
<th scope="row" class="in${parents.length}"><code>${above}${name}</code>${mark}<span class="type">${type}</span></th>
<td>${description && html`<p>${prose(description)}</p>`}${values}${limits.length > 0 && html`<p class="rules">${limits}</p>`}</td>
</tr>
`;
}

const required = html` <span class="required">required</span>`;
const optional = html` <span class="sometimes">may be absent</span>`;

const rowsTable = (caption: string, head: string, rows: Html[]) => html`<table class="fields">
<caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">${head}</th><th scope="col">Description</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`;

interface FieldTable {
  id: string;
  caption: string;
  isResponse: boolean;
}

/** The fields of a body or a response, with nested ones indented. */
export function fieldTable(reference: Reference, schema: Schema, { id, caption, isResponse }: FieldTable): Html {
  const rows = fieldsOf(reference, schema).map((field) =>
    row({
      ...field,
      table: id,
      mark: isResponse ? !field.isRequired && optional : field.isRequired && required,
      type: typeOf(reference, field.schema),
      description: field.schema.description,
      isResponse,
    }),
  );
  return rowsTable(caption, 'Field', rows);
}

export function parameterTable(reference: Reference, { operationId, summary, parameters }: Operation): Html {
  const rows = parameters.map((parameter) =>
    row({
      table: `${operationId}-parameters`,
      name: parameter.name,
      mark: parameter.required && required,
      type: `${typeOf(reference, parameter.schema)} · ${parameter.in}`,
      schema: parameter.schema,
      description: parameter.description,
    }),
  );
  return rowsTable(`Parameters of ${summary}`, 'Parameter', rows);
}
