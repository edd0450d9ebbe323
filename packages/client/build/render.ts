import { API_PREFIX, eventHeaders, openapi } from '@store-sales/contract';

/** The parts of the OpenAPI document that are rendered. */
interface Schema {
  $ref?: string;
  type?: string;
  enum?: string[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
}
interface Operation {
  operationId: string;
  summary: string;
  parameters: { name: string; in: string; description: string; schema: Schema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
}
type Content = { content?: Record<string, { schema: Schema }> };
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/**
 * The contract as plain TypeScript that needs neither its schemas nor their library: the records, the filters of
 * the lists, and the table of operations. What is published therefore stands alone, and nothing is written twice.
 */
export function render(): string {
  const document = openapi('', '') as unknown as Document;
  const records = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${comment(schema.description)}export interface ${name} ${object(schema)}`,
  );
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path: path.slice(API_PREFIX.length),
    })),
  );
  const table = operations.map(({ operationId, method, path }) => `  ${operationId}: '${method} ${path}',`);
  const types = operations.map(
    (operation) => `${comment(`${operation.summary}.`, '  ')}  ${operation.operationId}: ${shape(operation)};`,
  );
  return `${[
    '// Made from @store-sales/contract by build/generate.mjs; a test holds the two together. Do not edit.',
    ...records,
    range,
    ...operations.filter(hasQuery).map(query),
    `/** Every operation of the API. */\nexport interface Operations {\n${types.join('\n')}\n}`,
    `export const operations = {\n${table.join('\n')}\n} as const satisfies Record<keyof Operations, string>;`,
    `export const API_PREFIX = '${API_PREFIX}';`,
    `export const SIGNATURE_HEADER = '${eventHeaders.signature.toLowerCase()}';`,
    `export const DELIVERY_HEADER = '${eventHeaders.delivery.toLowerCase()}';`,
  ].join('\n\n')}\n`;
}

const range = `/** Both ends inclusive. A text needs \`Z\` or an offset. */
export interface TimeRange {
  from?: string | Date | undefined;
  to?: string | Date | undefined;
}`;

const hasQuery = ({ parameters }: Operation) => parameters.some((parameter) => parameter.in === 'query');
const queryName = ({ operationId }: Operation) => `${operationId[0]?.toUpperCase()}${operationId.slice(1)}Query`;

function shape(operation: Operation): string {
  const answer = (operation.responses[200] ?? operation.responses[201])?.content?.['application/json'];
  const body = operation.requestBody?.content?.['application/json'];
  return `{ query: ${hasQuery(operation) ? queryName(operation) : 'undefined'}; body: ${
    body ? type(body.schema) : 'undefined'
  }; answer: ${answer ? type(answer.schema, true) : 'undefined'} }`;
}

/** The parameters of a list under the names of the fields: `filter[updatedAt][from]` becomes `updatedAt: { from }`. */
function query(operation: Operation): string {
  const lines = new Map<string, string>();
  for (const { name, in: place, schema, description } of operation.parameters) {
    if (place !== 'query') continue;
    const [, field = name, bound] = /^filter\[(\w+)\](?:\[(\w+)\])?$/.exec(name) ?? [];
    const text = bound ? `When it was ${field === 'createdAt' ? 'created' : 'last changed'}.` : description;
    lines.set(field, `${comment(text, '  ')}  ${field}?: ${bound ? 'TimeRange' : type(schema)} | undefined;`);
  }
  return `/** ${operation.summary}: filters, sort order and paging. */
export interface ${queryName(operation)} {\n${[...lines.values()].join('\n')}\n}`;
}

function type(schema: Schema, inline = false, indent = ''): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) as string;
  if (schema.enum) return schema.enum.map((value) => `'${value}'`).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((entry) => type(entry, inline, indent)).join(' | ');
  if (schema.type === 'array') return list(type(schema.items ?? {}, inline, indent));
  if (schema.type === 'object') return inline ? inLine(schema) : object(schema, indent);
  if (schema.type === 'integer') return 'number';
  if (schema.type && ['string', 'boolean', 'null'].includes(schema.type)) return schema.type;
  throw new Error(`no type for ${JSON.stringify(schema)}`);
}

const list = (entry: string) => (/^\w+$/.test(entry) ? `${entry}[]` : `(${entry})[]`);

const fields = (schema: Schema) =>
  Object.entries(schema.properties ?? {}).map(([name, entry]) => ({
    name: schema.required?.includes(name) ? name : `${name}?`,
    entry,
  }));

function object(schema: Schema, indent = ''): string {
  const inner = `${indent}  `;
  const lines = fields(schema).map(
    ({ name, entry }) => `${comment(entry.description, inner)}${inner}${name}: ${type(entry, false, inner)};`,
  );
  return lines.length ? `{\n${lines.join('\n')}\n${indent}}` : 'Record<string, never>';
}

const inLine = (schema: Schema) =>
  `{ ${fields(schema)
    .map(({ name, entry }) => `${name}: ${type(entry, true)}`)
    .join('; ')} }`;

const comment = (text: string | undefined, indent = '') => (text ? `${indent}/** ${text} */\n` : '');
