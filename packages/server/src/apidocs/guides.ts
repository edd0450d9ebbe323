import { html } from '../http/html.ts';
import { codeBlock, curl } from './code.ts';
import type { Reference } from './document.ts';
import type { Topic } from './layout.ts';
import { errorLink } from './operation.ts';

const syncCode = (baseUrl: string) => `const orders = '${baseUrl}/api/v1/orders';
const headers = {
  Authorization: \`Bearer \${process.env.API_KEY}\`,
};
const query = new URLSearchParams({
  order: 'updatedAt:asc',
  with: 'items',
  limit: '100',
});

for (let hasMore = true; hasMore; ) {
  const cursor = await loadCursor(); // undefined at first
  if (cursor) query.set('cursor', cursor);
  const response = await fetch(orders + '?' + query,
    { headers });
  if (!response.ok) throw new Error(response.statusText);
  const { data, page } = await response.json();

  for (const order of data) await storeById(order);
  await saveCursor(page.syncCursor);
  hasMore = page.hasMore;
}`;

export const guides = ({ baseUrl }: Reference): Topic[] => [
  {
    id: 'paging',
    title: 'Paging',
    text: html`<p>Orders, products and customers are returned in pages of <code>limit</code> records: 50 by default, at most 100. Pass <code>page.nextCursor</code> as <code>cursor</code> to get the next page, with the other parameters unchanged. Continue until <code>nextCursor</code> is null; a page may have fewer records than <code>limit</code> before that. The header <code>Link</code> has the address of the next page (<code>rel="next"</code>).</p>
<p>Paging never repeats or skips a record that does not change in the meantime. A cursor is valid only for its list, store and sort order; otherwise the error is ${errorLink('invalid_cursor')}.</p>`,
    code: codeBlock(
      'Next page',
      curl({
        method: 'GET',
        url: `${baseUrl}/api/v1/orders`,
        query: [
          ['limit', '100'],
          ['cursor', '<nextCursor>'],
        ],
      }),
    ),
  },
  {
    id: 'synchronization',
    title: 'Synchronization',
    text: html`<p>Read the list with <code>order=updatedAt:asc</code> and you miss no change, even while records are being written. This works for orders, products and customers.</p>
<ol>
<li>First, read the whole list and store each record by its <code>id</code>.</li>
<li>Save <code>page.syncCursor</code>, which is on every page, with the records.</li>
<li>Later, read again with it as <code>cursor</code> and the same filters. You get only what has changed since; if nothing has, that is one request without records.</li>
</ol>
<p>A record that changes while you read moves to the end of the list, where you receive it. Do not poll with <code>filter[updatedAt][from]</code> instead: each poll returns all records of the last change again.</p>
<p>To react faster, use <a href="#webhooks">webhooks</a> to start a synchronization; it also finds changes whose webhooks were missed.</p>`,
    code: codeBlock('Node', syncCode(baseUrl)),
  },
  {
    id: 'safe-repeats',
    title: 'Retries and concurrent changes',
    text: html`<p>Send your own <code>externalId</code> with each new order. If a response is lost, retry the request: the first one gets 201, every retry gets 200 with the current order and <code>Idempotent-Replayed: true</code>. Concurrent retries also create only one order.</p>
<p>Every other creation can be retried with the header <code>Idempotency-Key</code>, which only POST has (on a PATCH it has no effect; use <code>If-Match</code>): a value of your choice, new for each record. Within 24 hours, the same value with the same body gets the first response again, with <code>Idempotent-Replayed: true</code>; with another body it is ${errorLink('idempotency_key_reused')}, and while the first request is being processed ${errorLink('idempotency_in_progress')}. Only successful responses are kept. If an order has an <code>externalId</code>, that alone decides.</p>
<p>An order has an <code>ETag</code>. Send it as <code>If-Match</code> with a change, and the change is rejected with ${errorLink('precondition_failed')} if the order has changed since you read it.</p>`,
    code: codeBlock(
      'Change an order only if it is unchanged',
      `curl -X PATCH '${baseUrl}/api/v1/orders/<id>' \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'If-Match: <ETag>' \\
  -H 'Content-Type: application/json' \\
  -d '{ "status": "packing" }'`,
    ),
  },
  {
    id: 'agents',
    title: 'Agents',
    text: html`<p>The operations below are also tools of the Model Context Protocol, at <code>/mcp</code>, with an API key as the bearer token. A key has the tools that its rights admit. Arguments are the fields of the body and the parameters, under names without brackets: <code>filter[status]</code> is <code>filterStatus</code>. A result has the response as <code>structuredContent</code>; if the request is rejected, <code>isError</code> is true and it is the problem document.</p>
<p>For programs that start a command, <code>store-sales mcp --url ${baseUrl}</code> with the key in <code>STORE_SALES_KEY</code> does the same on standard input and output.</p>`,
    code: codeBlock(
      'List the tools',
      `curl ${baseUrl}/mcp \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }'`,
    ),
  },
  {
    id: 'versions',
    title: 'Versions',
    text: html`<p>Changes within <code>/api/v1</code> are backward compatible unless the change log says otherwise. Error codes are never renamed or reused.</p>`,
  },
];
