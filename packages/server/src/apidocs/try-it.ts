import { type Html, html, type Part } from '../http/html.ts';
import type { Operation, Parameter, Reference } from './document.ts';
import { sampleRequest } from './operation-sample.ts';

const field = (name: Part, hint: Part, control: Html) =>
  html`<label class="field"><span class="name">${name} <span class="type">${hint}</span></span>${control}</label>
`;

function control({ name, in: place, schema, required }: Parameter, sample: string | number | undefined): Html {
  const attributes = html`name="${name}" data-in="${place}"${required && html` required`}`;
  if (!schema.enum) return html`<input ${attributes} placeholder="${sample}" autocomplete="off" spellcheck="false">`;
  const options = schema.enum.map((value) => html`<option>${value}</option>`);
  return html`<select ${attributes}><option value=""></option>${options}</select>`;
}

/** The form that sends a request, in a template that the script copies when it is opened. */
export function tryIt(reference: Reference, operation: Operation): Html {
  const { method, path, parameters, summary } = operation;
  const { query, body } = sampleRequest(reference, operation);
  const samples = new Map(query);
  const fields = (place: Parameter['in']) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) =>
        field(html`<code>${parameter.name}</code>`, place, control(parameter, samples.get(parameter.name))),
      );
  const inQuery = fields('query');
  return html`<p><button type="button" class="try" aria-label="Try it: ${summary}" hidden>Try it</button></p>
<template><form class="request" data-method="${method}" data-path="${path}" aria-label="Try it: ${summary}">
${field('API key', 'kept until the page is closed', html`<input type="password" name="key" required autocomplete="off" spellcheck="false" placeholder="ssk_…">`)}
${fields('path')}${inQuery.length > 0 && html`<details><summary>Query parameters</summary>${inQuery}</details>`}${fields('header')}
${body !== undefined && field('Body', 'JSON', html`<textarea name="body" rows="12" spellcheck="false">${JSON.stringify(body, undefined, 2)}</textarea>`)}
${method !== 'GET' && html`<p class="notice"><strong>This changes data</strong> in the store of the key, and may send webhooks.</p>`}
<p class="buttons"><button type="submit">Send ${method}</button> <button type="button" class="close">Close</button></p>
<div class="result" role="status"></div>
</form></template>`;
}
