import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorCodes, fieldErrorCodes } from '@store-sales/contract';
import { ERRORS_PATH } from '../http/errors.ts';
import { type Html, heading, html, prose } from '../http/html.ts';
import type { Reference } from './document.ts';
import { fieldTable } from './fields.ts';
import { layout, REFERENCE_PATH } from './layout.ts';

const all = Object.entries(errorCodes) as [ErrorCode, { status: number; title: string; advice: string }][];
const statuses = [...new Set(all.map(([, { status }]) => status))];
const withStatus = (status: number) => all.filter(([, entry]) => entry.status === status);
const statusTitle = (status: number) => `${status} ${STATUS_CODES[status]}`;

/** Prefixed, because some codes are both error codes and field error codes. */
const fieldErrorAnchor = (code: string) => `field-${code}`;

const overview = html`<table class="plain"><caption class="unseen">Error codes by status</caption>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${all.map(
  ([code, { status, title }]) =>
    html`<tr><th scope="row"><a href="#${code}"><code>${code}</code></a></th><td>${status}</td><td>${title}</td></tr>
`,
)}</tbody></table>`;

const chapters = statuses.map(
  (status) => html`<div class="chapter">
${heading(2, `status-${status}`, statusTitle(status))}
${withStatus(status).map(
  ([code, { title, advice }]) => html`<section class="error">
${heading(3, code, html`<code>${code}</code>`)}
<p class="title"><span class="method">${status}</span> <span>${prose(title)}.</span></p>
<p>${prose(advice)}</p>
</section>
`,
)}</div>
`,
);

const fieldErrors = html`<div class="chapter">
${heading(2, 'field-errors', html`Codes inside <code>errors</code>`)}
<p class="lead">Errors of a single field or parameter.</p>
<table class="plain"><caption class="unseen">Field error codes</caption>
<thead><tr><th scope="col">Code</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${Object.entries(fieldErrorCodes).map(
  ([code, meaning]) =>
    html`<tr id="${fieldErrorAnchor(code)}"><th scope="row"><a class="self" href="#${fieldErrorAnchor(code)}"><code>${code}</code></a></th><td>${prose(meaning)}</td></tr>
`,
)}</tbody></table>
</div>
`;

export const errorsPage = (reference: Reference): Html =>
  layout({
    title: `${reference.info.title} errors`,
    current: ERRORS_PATH,
    groups: [
      {
        title: 'Overview',
        links: [
          { href: '#document', text: 'The problem document' },
          { href: '#codes', text: 'All codes' },
        ],
      },
      ...statuses.map((status) => ({
        title: statusTitle(status),
        links: withStatus(status).map(([code]) => ({ href: `#${code}`, text: html`<code>${code}</code>` })),
      })),
      { title: 'Field errors', links: [{ href: '#field-errors', text: html`Codes inside <code>errors</code>` }] },
    ],
    body: html`<div class="narrow">
<h1>Errors</h1>
<p class="lead">Every error code, its meaning and what to do about it. Codes are never renamed or reused. Back to the <a href="${REFERENCE_PATH}">API reference</a>.</p>
<div class="chapter">
${heading(2, 'document', 'The problem document')}
<p>Errors are sent as <code>application/problem+json</code> (RFC 9457). Programs should use <code>code</code>.</p>
${fieldTable(reference, { $ref: '#/components/schemas/Problem' }, { id: 'problem', caption: 'Fields of a problem document', isResponse: true })}
</div>
<div class="chapter">
${heading(2, 'codes', 'All codes')}
${overview}
</div>
${chapters}${fieldErrors}</div>`,
  });
