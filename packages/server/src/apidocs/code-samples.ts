import { type Html, html } from '../http/html.ts';
import { codeBlock, curl } from './code.ts';
import { javascript, literal, php, python } from './literal.ts';

/** A request of the reference, to be written in several languages. */
export interface SampleRequest {
  operationId: string;
  method: string;
  baseUrl: string;
  /** With its id in braces: `/api/v1/orders/{id}`. */
  path: string;
  id?: string | undefined;
  query: readonly (readonly [string, string | number])[];
  body?: unknown;
}

const urlOf = ({ baseUrl, path, id = '' }: SampleRequest) => baseUrl + path.replace(/\{\w+\}/, encodeURIComponent(id));

const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `filter[updatedAt][from]` is `{ updatedAt: { from } }` in the client. */
function clientQuery(query: SampleRequest['query']): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [parameter, value] of query) {
    const [, name = parameter, bound] = /^filter\[(\w+)\](?:\[(\w+)\])?$/.exec(parameter) ?? [];
    result[name] = bound ? { ...(result[name] as object), [bound]: value } : value;
  }
  return result;
}

/** `client.references.orderStatuses.change('…', { … })`. */
function clientCall({ operationId, path, id, query, body }: SampleRequest): string {
  const resource = path
    .split('/')
    .slice(3)
    .filter((step) => !step.startsWith('{'));
  const verb = operationId.replace(/[A-Z].*/, '').replace('read', 'get');
  const values = [id, body, query.length ? clientQuery(query) : undefined].filter((value) => value !== undefined);
  const args = values.map((value) => literal(value, javascript)).join(', ');
  return `client.${[...resource.map(camelCase), verb].join('.')}(${args})`;
}

const inJavaScript = (request: SampleRequest) => `import { StoreSales } from '@store-sales/client';

const client = new StoreSales({
  baseUrl: ${literal(request.baseUrl, javascript)},
  apiKey: process.env.API_KEY,
});

const result = await ${clientCall(request)};
console.log(result);`;

function inPython(request: SampleRequest): string {
  const { method, query, body } = request;
  const lines = [
    literal(urlOf(request), python),
    `headers={"Authorization": f"Bearer {os.environ['API_KEY']}"}`,
    query.length && `params=${literal(Object.fromEntries(query), python, '    ')}`,
    body !== undefined && `json=${literal(body, python, '    ')}`,
    'timeout=30',
  ].filter(Boolean);
  return `import os

import requests

response = requests.${method.toLowerCase()}(
${lines.map((line) => `    ${line},`).join('\n')}
)
print(response.status_code, response.json())`;
}

function inPhp(request: SampleRequest): string {
  const { method, query, body } = request;
  const url = literal(urlOf(request), php);
  const options = [
    method !== 'GET' && `CURLOPT_CUSTOMREQUEST => '${method}'`,
    `CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('API_KEY'),${body === undefined ? '' : `\n        'Content-Type: application/json',`}
    ]`,
    body !== undefined && `CURLOPT_POSTFIELDS => json_encode(${literal(body, php, '    ')})`,
    'CURLOPT_RETURNTRANSFER => true',
    'CURLOPT_TIMEOUT => 30',
  ].filter(Boolean);
  return `<?php
${query.length ? `$query = http_build_query(${literal(Object.fromEntries(query), php)});\n` : ''}$curl = curl_init(${query.length ? `${url} . '?' . $query` : url});
curl_setopt_array($curl, [
${options.map((option) => `    ${option},`).join('\n')}
]);
$response = curl_exec($curl);
echo curl_getinfo($curl, CURLINFO_RESPONSE_CODE), "\\n";
print_r(json_decode($response, true));`;
}

export const languages = {
  curl: { name: 'curl', write: (request: SampleRequest) => curl({ ...request, url: urlOf(request) }) },
  javascript: { name: 'JavaScript', write: inJavaScript },
  python: { name: 'Python', write: inPython },
  php: { name: 'PHP', write: inPhp },
};

/** The request in all languages. Without the script, only the first is visible. */
export const codeSamples = (request: SampleRequest): Html =>
  html`<div class="samples">${Object.entries(languages).map(([language, { name, write }]) =>
    codeBlock(`Request, ${name}`, write(request), language),
  )}</div>`;
