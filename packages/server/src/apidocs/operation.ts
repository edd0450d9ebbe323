import { type ErrorCode, errorCodes, errorCodesOf } from '@store-sales/contract';
import { ERRORS_PATH } from '../http/errors.ts';
import { type Html, heading, html, joined, prose } from '../http/html.ts';
import { codeBlock, json } from './code.ts';
import { codeSamples } from './code-samples.ts';
import { bodyOf, inner, type Operation, type Reference, type Response, type Schema } from './document.ts';
import { fieldsOf, fieldTable, parameterTable } from './fields.ts';
import { badge, block } from './layout.ts';
import { responseOf, sampleRequest, sampleResponse } from './operation-sample.ts';
import { tryIt } from './try-it.ts';

export const errorLink = (code: ErrorCode): Html => html`<a href="${ERRORS_PATH}#${code}"><code>${code}</code></a>`;

/** Headers of every response, documented once in the introduction. */
const commonHeaders = /^(X-Request-Id|RateLimit-.*)$/;

function success([status, { description, headers = {} }]: [string, Response]): Html {
  const own = Object.entries(headers).filter(([name]) => !commonHeaders.test(name));
  const lines = own.map(([name, header]) => html`<li><code>${name}</code>: ${prose(header.description)}</li>`);
  return html`<tr><th scope="row">${status}</th><td>${description}${own.length > 0 && html`<ul>${lines}</ul>`}</td></tr>
`;
}

function errors({ endpoint }: Operation): Html[] {
  const codes = errorCodesOf(endpoint);
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const links = codes.filter((code) => errorCodes[code].status === status).map(errorLink);
    return html`<tr><th scope="row">${status}</th><td>${joined(links, ', ')}</td></tr>
`;
  });
}

const statusTable = (operation: Operation, successes: [string, Response][]) => html`<table class="statuses">
<caption class="unseen">Statuses of ${operation.summary}</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning, or error codes</th></tr></thead>
<tbody>
${successes.map(success)}${errors(operation)}</tbody>
</table>`;

function bodyPart(reference: Reference, operation: Operation, schema: Schema): Html {
  const { minProperties } = reference.resolve(schema);
  const id = `${operation.operationId}-body`;
  return html`${heading(4, id, 'Body')}
${minProperties && html`<p>At least one field.</p>`}
${fieldTable(reference, schema, { id, caption: `Body of ${operation.summary}`, isResponse: false })}`;
}

/** The fields of a record are shown at its first occurrence and collapsed at later ones. */
function responsePart(reference: Reference, operation: Operation, schema: Schema, seen: Set<string>): Html {
  const data = reference.resolve(schema).properties?.data ?? schema;
  const record = reference.nameOf(inner(reference, data)) ?? '';
  const id = `${operation.operationId}-response`;
  const table = fieldTable(reference, schema, { id, caption: `Response of ${operation.summary}`, isResponse: true });
  const isRepeated = seen.has(record);
  seen.add(record);
  const count = fieldsOf(reference, schema).length;
  return html`${heading(4, id, 'Response')}
${isRepeated ? html`<details class="again"><summary>Show all ${count} fields</summary>${table}</details>` : table}`;
}

function examples(reference: Reference, operation: Operation): Html {
  const sample = sampleResponse(reference, operation);
  return html`${codeSamples(sampleRequest(reference, operation))}
${codeBlock(`Response, ${operation.endpoint.statuses[0]}`, json(sample))}`;
}

export function operationBlock(reference: Reference, operation: Operation, seen: Set<string>): Html {
  const { operationId, summary, method, path, endpoint, parameters } = operation;
  const successes = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  const response = responseOf(operation);
  const body = bodyOf(operation);
  const right = endpoint.right
    ? html`Right <a href="#rights"><code>${endpoint.right}</code></a>`
    : html`Any valid key; no right required`;
  const text = html`${heading(3, operationId, summary)}
<p class="route">${badge(method)} <code>${path.split('/').map((step, index) => (index ? html`/<wbr>${step}` : step))}</code></p>
<p class="right">${right}</p>
${tryIt(reference, operation)}
${endpoint.description && html`<p>${prose(endpoint.description)}</p>`}
${parameters.length > 0 && html`${heading(4, `${operationId}-parameters`, 'Parameters')}${parameterTable(reference, operation)}`}
${body && bodyPart(reference, operation, body)}
${responsePart(reference, operation, response, seen)}
${heading(4, `${operationId}-statuses`, 'Statuses')}${statusTable(operation, successes)}`;
  return block(text, examples(reference, operation));
}
