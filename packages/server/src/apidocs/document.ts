import { type Endpoint, endpoints, openapi } from '@store-sales/contract';

/** The parts of JSON Schema that the contract uses. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  description?: string;
  enum?: readonly string[];
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  default?: unknown;
  examples?: readonly unknown[];
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  additionalProperties?: boolean;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
}

type Content = Record<string, { schema: Schema }>;

export interface Response {
  description: string;
  headers?: Record<string, { description: string }>;
  content?: Content;
}

interface OperationNode {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  parameters: readonly Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, Response>;
}

interface OpenApi {
  info: { title: string; version: string; description: string };
  tags: readonly { name: string; description: string }[];
  paths: Record<string, Record<string, OperationNode>>;
  webhooks: Record<string, { post: OperationNode }>;
  components: { schemas: Record<string, Schema> };
}

export interface Operation extends OperationNode {
  method: string;
  path: string;
  /** The row of the endpoint table, with the right and the error codes. */
  endpoint: Endpoint;
}

export interface Group {
  id: string;
  name: string;
  description: string;
  operations: Operation[];
}

const REF = '#/components/schemas/';
const table = endpoints as Record<string, Endpoint>;

/** The OpenAPI document, grouped for the page. */
export class Reference {
  readonly #document: OpenApi;

  constructor(
    readonly baseUrl: string,
    version: string,
  ) {
    this.#document = openapi(baseUrl, version) as unknown as OpenApi;
  }

  get info() {
    return this.#document.info;
  }

  get groups(): Group[] {
    const all = Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, node]): Operation => ({
          ...node,
          method: method.toUpperCase(),
          path,
          endpoint: table[node.operationId] as Endpoint,
        }),
      ),
    );
    return this.#document.tags
      .map(({ name, description }) => ({
        id: name.toLowerCase(),
        name,
        description,
        operations: all.filter(({ tags }) => tags.includes(name)),
      }))
      .filter(({ operations }) => operations.length);
  }

  get events() {
    return Object.entries(this.#document.webhooks).map(([type, { post }]) => ({ type, ...post }));
  }

  /** The name of a schema in the document; undefined for an inline one. */
  nameOf({ $ref }: Schema): string | undefined {
    return $ref?.slice(REF.length);
  }

  resolve(schema: Schema): Schema {
    const name = this.nameOf(schema);
    if (name === undefined) return schema;
    return this.#document.components.schemas[name] as Schema;
  }
}

/** The schema of the items of a list or of a nullable value; otherwise the schema itself. */
export function inner(reference: Reference, schema: Schema): Schema {
  const { type, items, anyOf } = reference.resolve(schema);
  if (type === 'array' && items) return items;
  return anyOf?.find((choice) => choice.type !== 'null') ?? schema;
}

export const bodyOf = ({ requestBody }: { requestBody?: { content: Content } }): Schema | undefined =>
  requestBody?.content['application/json']?.schema;
