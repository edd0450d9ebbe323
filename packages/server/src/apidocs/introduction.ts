import { API_PREFIX, errorCodes, type Problem, rights } from '@store-sales/contract';
import { variables } from '../config.ts';
import { ERRORS_PATH } from '../http/errors.ts';
import { html } from '../http/html.ts';
import { codeBlock, curl, json } from './code.ts';
import type { Reference } from './document.ts';
import { OPENAPI_PATH, type Topic } from './layout.ts';

const requestsAMinute = Number(variables.RATE_LIMIT_PER_MINUTE.default).toLocaleString('en');

const problem = (baseUrl: string): Problem => ({
  type: `${baseUrl}/docs/errors#invalid_body`,
  title: errorCodes.invalid_body.title,
  status: errorCodes.invalid_body.status,
  detail: '/items/0/quantity must be at least 1 (and 1 more)',
  code: 'invalid_body',
  requestId: '019a1c3e-7b40-71ca-83f4-911213141516',
  errors: [
    { pointer: '/items/0/quantity', code: 'too_small', message: 'must be at least 1' },
    { pointer: '/customer/mail', code: 'unknown', message: 'is not a known field' },
  ],
});

const start = (baseUrl: string): Topic => ({
  id: 'quick-start',
  title: 'Quick start',
  text: html`<ol>
<li>Ask the store owner for an API key. Keys are created in the console, in the store settings, with the rights you need.</li>
<li>Check the key: the response contains its store, its rights and its expiry.</li>
<li>Read orders, then create one.</li>
</ol>
<p>Set <code>API_KEY</code>, and every example on this page works when pasted. Ids in paths and bodies are examples: replace them with your own.</p>`,
  code: codeBlock(
    'Check the key',
    `export API_KEY='ssk_…'\n\n${curl({ method: 'GET', url: `${baseUrl}${API_PREFIX}/credentials` })}`,
  ),
});

const address = (baseUrl: string): Topic => ({
  id: 'base-address',
  title: 'Base address',
  text: html`<p>All paths begin with <code>${API_PREFIX}</code>; the version is part of the path. Bodies are JSON in UTF-8, at most 1 MiB, sent with <code>Content-Type: application/json</code>.</p>
<p>The machine-readable version is <a href="${OPENAPI_PATH}">the OpenAPI 3.1 document</a>. Neither it nor this page requires a key.</p>
<p>Every response has an <code>X-Request-Id</code> header: yours, if you sent one of 1 to 128 visible ASCII characters, otherwise a new one. It is also in the server log; include it when you ask for help.</p>`,
  code: codeBlock('Base address', `${baseUrl}${API_PREFIX}`),
});

const authentication: Topic = {
  id: 'authentication',
  title: 'Authentication',
  text: html`<p>Send <code>Authorization: Bearer &lt;API_KEY&gt;</code> with every request. A key belongs to one store and has no access to others. Its secret is shown only once, when it is created, and it always expires. A revoked key stops working immediately.</p>
<p>The API and webhooks are part of the Optimal plan.</p>
<h4 id="rights"><a class="self" href="#rights">Rights</a></h4>
<table class="plain"><caption class="unseen">Rights of a key</caption>
<thead><tr><th scope="col">Right</th><th scope="col">Allows to</th></tr></thead>
<tbody>
${Object.entries(rights).map(
  ([right, meaning]) => html`<tr><th scope="row"><code>${right}</code></th><td>${meaning}</td></tr>
`,
)}</tbody></table>
<p><code>products:write</code> and <code>customers:write</code> are no longer issued; an old key that carries them keeps working.</p>`,
  code: codeBlock('Header', 'Authorization: Bearer ssk_…'),
};

const envelopes: Topic = {
  id: 'envelopes',
  title: 'Requests and responses',
  text: html`<p>A single record is in <code>data</code>; a list has <code>data</code> and <code>page</code>. Reference lists are short and always have one page.</p>
<ul>
<li>A text without a value is <code>""</code>. <code>null</code> appears only where this reference says “or null”.</li>
<li>In requests <code>null</code> is not a value: leave the field out, or send <code>""</code> to clear a text.</li>
<li>Nothing is silently ignored: an unknown parameter or field, a repeated parameter and an empty filter are errors.</li>
<li>New fields may appear in responses at any time. Ignore fields you do not know.</li>
</ul>`,
  code: [
    codeBlock('One record', '{ "data": { … } }'),
    codeBlock('List', json({ data: [], page: { nextCursor: null, hasMore: false } })),
  ],
};

const values: Topic[] = [
  {
    id: 'money',
    title: 'Money',
    text: html`<p>Amounts are integers in kopecks, hundredths of the currency unit: <code>150000</code> means 1500.00. They are never negative and at most 2<sup>53</sup> − 1.</p>
<p><code>lineTotal</code> is <code>unitPrice × quantity − discount</code> of the line. <code>totalAmount</code> is the sum of the lines, less the order’s <code>discount</code>, plus <code>delivery.cost</code>, less <code>delivery.discount</code>. <code>discountTotal</code> is the sum of the lines’ discounts and the order’s.</p>`,
  },
  {
    id: 'date-times',
    title: 'Dates and times',
    text: html`<p>Responses use ISO 8601 in UTC with milliseconds, <code>2026-09-27T10:15:30.125Z</code>; categories with microseconds and an offset, <code>2026-09-27T10:15:30.125000+00:00</code>.</p>
<p>Requests may use any RFC 3339 date-time with <code>Z</code> or an offset. Times are stored with the precision shown: the <code>updatedAt</code> of an order, sent as both <code>from</code> and <code>to</code>, finds that order.</p>`,
  },
];

const errors = (baseUrl: string): Topic => ({
  id: 'errors',
  title: 'Errors',
  text: html`<p>An error is a problem document (RFC 9457), <code>application/problem+json</code>. Programs should use <code>code</code>; <code>type</code> is the URL of its entry in the <a href="${ERRORS_PATH}">error reference</a>. <code>errors</code> lists all errors of the request, each with a JSON pointer into the body or the name of a parameter.</p>
<p>Checks run in this order: path and method, key, rate limit, plan, right, parameters and body, existence, <code>If-Match</code>, rules. A record of another store is <code>not_found</code>.</p>`,
  code: codeBlock('Response, 422', json(problem(baseUrl))),
});

const rateLimit: Topic = {
  id: 'rate-limit',
  title: 'Rate limit',
  text: html`<p>A key may make ${requestsAMinute} requests a minute on each node, unless the operator has configured another limit; the headers show the actual one. Above it, the response is 429 with <code>Retry-After</code>: wait that many seconds, then retry.</p>`,
  code: codeBlock('Response headers', 'RateLimit-Limit: 60000\nRateLimit-Remaining: 59987\nRateLimit-Reset: 42'),
};

export const introduction = ({ baseUrl }: Reference): Topic[] => [
  start(baseUrl),
  address(baseUrl),
  authentication,
  envelopes,
  ...values,
  errors(baseUrl),
  rateLimit,
];
