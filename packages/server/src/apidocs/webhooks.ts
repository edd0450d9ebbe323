import { eventHeaders, standardHeaders } from '@store-sales/contract';
import { variables } from '../config.ts';
import { html } from '../http/html.ts';
import { MINUTE } from '../time/duration.ts';
import { codeBlock, json } from './code.ts';
import { bodyOf, type Reference, type Schema } from './document.ts';
import { example } from './example.ts';
import { fieldTable } from './fields.ts';
import type { Topic } from './layout.ts';

const { WEBHOOK_RETRY_DELAYS, WEBHOOK_DISABLE_FAILURES } = variables;
const delays = WEBHOOK_RETRY_DELAYS.read(WEBHOOK_RETRY_DELAYS.default);

/** Sample code without dependencies. */
export const verification = `import crypto from 'node:crypto';

// body: the raw bytes, before JSON.parse
// header: ${eventHeaders.signature}
export function isGenuine(body, header, secret,
                          now = Date.now()) {
  const parts = String(header).split(',')
    .map((part) => part.split('='));
  const [, t] = parts.find(([k]) => k === 't') ?? [];
  const age = Math.abs(now / 1000 - Number(t));
  if (!(age <= 300)) return false;

  const wanted = crypto.createHmac('sha256', secret)
    .update(t + '.').update(body).digest();
  return parts.some(([key, hex = '']) => {
    const given = Buffer.from(hex, 'hex');
    return key === 'v1'
      && given.length === wanted.length
      && crypto.timingSafeEqual(given, wanted);
  });
}`;

function formatDuration(ms: number): string {
  const minutes = Math.round(ms / MINUTE);
  const hours = Math.floor(minutes / 60);
  const parts = [hours && `${hours} h`, minutes % 60 && `${minutes % 60} min`];
  return parts.filter(Boolean).join(' ') || 'immediately';
}

const attempts = [0, ...delays].map((delay, index, all) => {
  const since = all.slice(0, index + 1).reduce((sum, wait) => sum + wait, 0);
  return html`<tr><th scope="row">${index + 1}</th><td>${formatDuration(delay)}</td><td>${index ? formatDuration(since) : '0 min'}</td></tr>
`;
});

const eventsTopic = (reference: Reference): Topic => {
  const payload = (event: (typeof reference.events)[number]) => {
    const sample = example(reference, bodyOf(event) as Schema) as object;
    return json({ ...sample, type: event.type });
  };
  const [first] = reference.events;
  const ping = reference.events.at(-1);
  return {
    id: 'webhook-events',
    title: 'Events and payloads',
    text: html`<table class="plain"><caption class="unseen">Events</caption>
<thead><tr><th scope="col">Event</th><th scope="col">Sent when</th></tr></thead>
<tbody>
${reference.events.map(
  ({ type, summary }) => html`<tr><th scope="row" id="event-${type}"><code>${type}</code></th><td>${summary}</td></tr>
`,
)}</tbody></table>
${first && fieldTable(reference, bodyOf(first) as Schema, { id: 'webhook-payload', caption: 'Payload of an event', isResponse: true })}
<p>The payload contains only the ids of the order. Read the order with <a href="#readOrder"><code>GET /api/v1/orders/{id}</code></a>: you get the latest version even if events arrive out of order.</p>
<p>Delivery is at least once. Store the <code>id</code> of each event you have processed, and skip duplicates. The <code>data</code> of a <code>ping</code> is empty.</p>`,
    code: [
      first && codeBlock(`Payload, ${first.type}`, payload(first)),
      ping && codeBlock(`Payload, ${ping.type}`, payload(ping)),
    ],
  };
};

const headers: Topic = {
  id: 'webhook-headers',
  title: 'Headers of a delivery',
  text: html`<table class="plain"><caption class="unseen">Headers of a delivery</caption>
<thead><tr><th scope="col">Header</th><th scope="col">Content</th></tr></thead>
<tbody>
<tr><th scope="row"><code>Content-Type</code></th><td><code>application/json</code></td></tr>
<tr><th scope="row"><code>${eventHeaders.event}</code></th><td>Event type.</td></tr>
<tr><th scope="row"><code>${eventHeaders.delivery}</code></th><td>UUID of the delivery, one event to one endpoint. It is the same for all retries and in the delivery log.</td></tr>
<tr><th scope="row"><code>${eventHeaders.signature}</code></th><td><code>t=&lt;unix seconds&gt;,v1=&lt;hex&gt;</code>; and another <code>v1</code> for each secret replaced within the last 24 hours.</td></tr>
<tr><th scope="row"><code>${standardHeaders.id}</code>, <code>${standardHeaders.timestamp}</code>, <code>${standardHeaders.signature}</code></th><td>The same event for the libraries of Standard Webhooks: id of the event, Unix seconds, and <code>v1,&lt;base64&gt;</code> for each secret.</td></tr>
</tbody></table>`,
  code: codeBlock(
    'Delivery',
    `POST /hooks/store HTTP/1.1
Content-Type: application/json
${eventHeaders.event}: order.created
${eventHeaders.delivery}: 019a1c3e-7b50-72db-9405-121314151617
${eventHeaders.signature}: t=1790504130,v1=5f8d…
${standardHeaders.id}: 0199a1c3-7b50-72db-9405-121314151617
${standardHeaders.timestamp}: 1790504130
${standardHeaders.signature}: v1,K5oZfz…`,
  ),
};

const signature: Topic = {
  id: 'webhook-signature',
  title: 'Signature',
  text: html`<ol>
<li><code>v1</code> is HMAC-SHA256 in hexadecimal, keyed with the whole signing secret (its prefix <code>whsec_</code> included), over <code>&lt;t&gt;.&lt;body&gt;</code>.</li>
<li>Use the raw body, before JSON is parsed. A body that was parsed and serialized again may differ.</li>
<li>Accept the request if any <code>v1</code> matches. Compare in constant time.</li>
<li>Reject it if <code>t</code> differs from your clock by more than 300 seconds: it may be a replay. Each attempt has a new signature.</li>
</ol>`,
  code: codeBlock('Node', verification),
};

const retries: Topic = {
  id: 'webhook-retries',
  title: 'Responses and retries',
  text: html`<p>Respond with a 2xx status within 10 seconds, then process the event. Any other status, a redirect, a timeout or a broken connection is a failure, and the delivery is retried. 410 and 429 are no exceptions, and a <code>Retry-After</code> is ignored:</p>
<table class="plain"><caption class="unseen">Attempts of a delivery</caption>
<thead><tr><th scope="col">Attempt</th><th scope="col">Delay</th><th scope="col">Time since the event</th></tr></thead>
<tbody>
${attempts}</tbody></table>
<p>After attempt ${delays.length + 1} the delivery has failed. It stays in the delivery log of the console, where it can be sent again.</p>
<p>An endpoint that has failed ${WEBHOOK_DISABLE_FAILURES.default} times in a row, for more than 24 hours, is disabled. The owner sees the reason, can enable it again and resend the missed events; <a href="#synchronization">synchronization</a> recovers them too. The operator can configure other delays and limits.</p>`,
};

const addresses: Topic = {
  id: 'webhook-addresses',
  title: 'Address of the receiver',
  text: html`<p>The owner enters the address and chooses the events in the console, in the store settings; the signing secret is shown only once. There is no API for it.</p>
<ul>
<li><code>https://</code> only, with a valid certificate, and no user name or password in the address.</li>
<li>Reachable from the internet. Local and internal addresses are rejected, in every notation, when the address is entered and at the connection of each attempt.</li>
<li>Redirects are not followed.</li>
</ul>`,
};

export const webhooks = (reference: Reference): Topic[] => [
  eventsTopic(reference),
  headers,
  signature,
  retries,
  addresses,
];
