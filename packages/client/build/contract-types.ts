import { readFileSync } from 'node:fs';
import { API_PREFIX, eventHeaders, openapi } from '@store-sales/contract';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

interface Parameter {
  name: string;
  in: string;
  description: string;
  schema: object;
}
interface Operation {
  operationId: string;
  parameters: Parameter[];
  responses: Record<string, { content?: object }>;
}
/** The parts of the OpenAPI document that are changed before the types are generated. */
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { oneOf?: unknown; allOf?: unknown }> };
  webhooks?: unknown;
}
type Declaration = Awaited<ReturnType<typeof openapiTS>>[number] & {
  name: { text: string };
  members: Declaration[];
  type: Declaration;
};

/**
 * The source of src/contract.generated.ts: an interface for each schema, the parameters and bodies of each operation,
 * and the constants that the client needs at run time, because it does not depend on the contract package.
 */
export async function contractTypes(): Promise<string> {
  const document = openapi('', '') as unknown as Document;
  const routes: string[] = [];
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, operation] of Object.entries(methods)) {
      routes.push(`  ${operation.operationId}: '${method.toUpperCase()} ${path.slice(API_PREFIX.length)}',`);
      operation.parameters = operation.parameters.flatMap(namedLikeField);
      // Errors have one shape, which the client reads itself.
      for (const [status, { content }] of Object.entries(operation.responses))
        if (status.startsWith('2') && content) operation.responses[status] = { content };
        else delete operation.responses[status];
    }
  delete document.webhooks;
  // Which product key is given is not expressed in the types; openapi-typescript would add `& unknown`.
  for (const schema of Object.values(document.components.schemas)) {
    delete schema.oneOf;
    delete schema.allOf;
  }

  // Optional properties stay optional when they have a default.
  const declarations = (await openapiTS(document as unknown as OpenAPI3, {
    defaultNonNullable: false,
  })) as Declaration[];
  const declaration = (name: string, list = declarations) => list.find((entry) => entry.name.text === name);
  const schemas = declaration('schemas', declaration('components')?.members)?.type.members ?? [];
  const types = [
    // Interfaces instead of members of `components`, so that editors and error messages show their names.
    ...schemas.map((schema) =>
      astToString(schema)
        .replace(/^((?:\/\*\*.*?\*\/\s*)?)(\w+): /s, '$1export interface $2 ')
        .replace(/;\s*$/, ''),
    ),
    astToString(declaration('operations') as Declaration),
  ];
  return `${[
    '// Generated from @store-sales/contract by build/generate.mjs. Do not edit.',
    ...types.map((text) => text.replace(/components\["schemas"\]\["(\w+)"\]|@description /g, '$1')),
    `export const routes = {\n${routes.join('\n')}\n} as const satisfies Record<keyof operations, string>;`,
    `export const API_PREFIX = '${API_PREFIX}';`,
    `export const VERSION = '${version}';`,
    `export const EVENT_HEADER = '${eventHeaders.event.toLowerCase()}';`,
    `export const SIGNATURE_HEADER = '${eventHeaders.signature.toLowerCase()}';`,
    `export const DELIVERY_HEADER = '${eventHeaders.delivery.toLowerCase()}';`,
  ].join('\n\n')}\n`;
}

const range = {
  type: 'object',
  properties: { from: { type: 'string' }, to: { type: 'string' } },
};

/** `filter[status]` becomes `status`, the pair `filter[updatedAt][from]` and `[to]` becomes `updatedAt: { from, to }`. */
function namedLikeField(parameter: Parameter): Parameter[] {
  const [, field, bound] = /^filter\[(\w+)\](?:\[(\w+)\])?$/.exec(parameter.name) ?? [];
  if (!field) return [parameter];
  if (!bound) return [{ ...parameter, name: field }];
  const description = `Range of \`${field}\`, both ends inclusive.`;
  return bound === 'from' ? [{ ...parameter, name: field, description, schema: range }] : [];
}
