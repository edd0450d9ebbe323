import type { Reference, Schema } from './document.ts';
import { samples } from './samples.ts';

const UUID = '019a1c3e-7b20-7c41-9d5e-2f8a61b04c11';

function scalar({ type, format, examples, default: usual, enum: values, minimum }: Schema): unknown {
  if (examples?.length) return examples[0];
  if (usual !== undefined) return usual;
  if (values) return values[0];
  if (type === 'integer' || type === 'number') return minimum ?? 1;
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return format === 'uuid' ? UUID : 'text';
}

/**
 * A value of the schema, from the sample of the named record. Fields that the sample lacks are generated, so that an
 * example always shows every field of a response.
 */
export function example(reference: Reference, schema: Schema, given?: unknown): unknown {
  const known = given === undefined ? samples[reference.nameOf(schema) ?? ''] : given;
  const { properties, items, anyOf, ...rest } = reference.resolve(schema);
  if (known === null || (known !== undefined && typeof known !== 'object')) return known;
  if (anyOf) return example(reference, anyOf[0] as Schema, known);
  if (items) {
    const entries = Array.isArray(known) ? known : [undefined];
    return entries.map((entry) => example(reference, items, entry));
  }
  if (!properties) return rest.type === 'object' ? (known ?? {}) : scalar(rest);
  const fields = known as Record<string, unknown> | undefined;
  // A request body shows only the fields of its sample.
  const isBody = fields !== undefined && 'additionalProperties' in rest;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => !isBody || name in fields)
      .map(([name, property]) => [name, example(reference, property, fields?.[name])]),
  );
}
