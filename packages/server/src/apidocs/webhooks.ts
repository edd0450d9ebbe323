import { eventHeaders } from '@store-sales/contract';
import { variables } from '../config.ts';
import { codeBlock, json } from './code.ts';
import { bodyOf, type Reference, type Schema } from './document.ts';
import { example } from './example.ts';
import { fieldTable } from './fields.ts';
import { html } from './html.ts';
import type { Topic } from './layout.ts';

const { WEBHOOK_RETRY_DELAYS, WEBHOOK_DISABLE_FAILURES } = variables;
const delays = WEBHOOK_RETRY_DELAYS.read(WEBHOOK_RETRY_DELAYS.default);

/** For the receiver of an integrator: no package needed. */
export const verification = `import crypto from 'node:crypto';

// body: the bytes as they came, before JSON.parse
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

function inWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  const hours = Math.floor(minutes / 60);
  const parts = [hours && `${hours} h`, minutes % 60 && `${minutes % 60} min`];
  return parts.filter(Boolean).join(' ') || 'at once';
}

const attempts = [0, ...delays].map((delay, index, all) => {
  const since = all.slice(0, index + 1).reduce((sum, wait) => sum + wait, 0);
  return html`<tr><th scope="row">${index + 1}</th><td>${inWords(delay)}</td><td>${index ? inWords(since) : '0 min'}</td></tr>
`;
});

const eventsTopic = (reference: Reference): Topic => {
  const payload = (event: (typeof reference.events)[number]) => {
    const made = example(reference, bodyOf(event) as Schema) as object;
    return json({ ...made, type: event.type });
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
${first && fieldTable(reference, bodyOf(first) as Schema, 'Payload of an event', true)}
<p>The payload names the order and no more. Read the order itself with <a href="#readOrder"><code>GET /api/v1/orders/{id}</code></a>: that gives the latest version even when events arrive out of order.</p>
<p>Delivery is at least once. Store the <code>id</code> of each event you have processed, and skip it when it comes again. <code>data</code> of a <code>ping</code> is empty.</p>`,
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
<tr><th scope="row"><code>${eventHeaders.delivery}</code></th><td>UUID of the delivery: one event at one endpoint, the same across its retries, and the one in the delivery log.</td></tr>
<tr><th scope="row"><code>${eventHeaders.signature}</code></th><td><code>t=&lt;unix seconds&gt;,v1=&lt;hex&gt;</code>; one more <code>v1</code> for each secret that was replaced within the last 24 hours.</td></tr>
</tbody></table>`,
  code: codeBlock(
    'Delivery',
    `POST /hooks/store HTTP/1.1
Content-Type: application/json
${eventHeaders.event}: order.created
${eventHeaders.delivery}: 019a1c3e-7b50-72db-9405-121314151617
${eventHeaders.signature}: t=1790504130,v1=5f8d…`,
  ),
};

const signature: Topic = {
  id: 'webhook-signature',
  title: 'Signature',
  text: html`<ol>
<li><code>v1</code> is HMAC-SHA256 in hexadecimal, keyed with the whole signing secret (its prefix <code>whsec_</code> included), over <code>&lt;t&gt;.&lt;body&gt;</code>.</li>
<li>Take the body exactly as it came, before JSON is parsed. A body that was parsed and written again is another body.</li>
<li>Accept the request if any <code>v1</code> matches. Compare in constant time.</li>
<li>Refuse it if <code>t</code> is more than 300 seconds from your clock, either way: it may be a replay. Each attempt is signed afresh.</li>
</ol>`,
  code: codeBlock('Node', verification),
};

const retries: Topic = {
  id: 'webhook-retries',
  title: 'Answers and retries',
  text: html`<p>Answer with a 2xx within 10 seconds; do the work afterwards. Any other status, a redirect, a time-out or a broken connection is a failure, and the delivery is tried again:</p>
<table class="plain"><caption class="unseen">Attempts of a delivery</caption>
<thead><tr><th scope="col">Attempt</th><th scope="col">After the one before</th><th scope="col">Since the event</th></tr></thead>
<tbody>
${attempts}</tbody></table>
<p>After attempt ${delays.length + 1} the delivery stops. It stays in the delivery log of the console, where it can be sent again.</p>
<p>An endpoint that has failed ${WEBHOOK_DISABLE_FAILURES.default} times in a row, for more than 24 hours, is switched off. The owner sees why, switches it on again, and can have what was missed sent. <a href="#synchronization">Keeping a copy in step</a> recovers it too. An operator can set other waits and limits than these.</p>`,
};

const addresses: Topic = {
  id: 'webhook-addresses',
  title: 'Address of the receiver',
  text: html`<p>The owner enters the address and chooses the events in the console, in the settings of the store; the signing secret is shown once. There is no API for it.</p>
<ul>
<li><code>https://</code> only, with a valid certificate, and no user name or password in the address.</li>
<li>Reachable from the internet. Local and internal addresses are refused, in every notation, when the address is entered and again on the connection of each attempt.</li>
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
