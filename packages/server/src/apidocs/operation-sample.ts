import type { SampleRequest } from './code-samples.ts';
import { bodyOf, type Operation, type Reference, type Schema } from './document.ts';
import { example } from './example.ts';
import { queries, responses } from './samples.ts';

/** The schema of a successful response. */
export const responseOf = ({ endpoint, responses }: Operation): Schema =>
  responses[endpoint.statuses[0]]?.content?.['application/json']?.schema as Schema;

export const sampleResponse = (reference: Reference, operation: Operation): unknown =>
  responses[operation.operationId] ?? example(reference, responseOf(operation));

/** The example request of an operation. */
export function sampleRequest(reference: Reference, operation: Operation): SampleRequest {
  const { operationId, method, path } = operation;
  const sample = sampleResponse(reference, operation);
  const body = bodyOf(operation);
  return {
    operationId,
    method,
    baseUrl: reference.baseUrl,
    path,
    ...(path.includes('{') && { id: (sample as { data: { id: string } }).data.id }),
    query: queries[operationId] ?? [],
    ...(body && { body: example(reference, body) }),
  };
}
