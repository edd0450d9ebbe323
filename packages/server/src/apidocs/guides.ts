import { codeBlock, curl } from './code.ts';
import type { Reference } from './document.ts';
import { html } from './html.ts';
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
const mark = await loadMark(); // nothing at first
if (mark) query.set('filter[updatedAt][from]', mark);

let cursor;
do {
  if (cursor) query.set('cursor', cursor);
  const answer = await fetch(orders + '?' + query,
    { headers });
  if (!answer.ok) throw new Error(answer.statusText);
  const { data, page } = await answer.json();

  for (const order of data) await storeById(order);
  const last = data.at(-1);
  if (last) await saveMark(last.updatedAt);
  cursor = page.nextCursor;
} while (cursor);`;

/** How the parts are used together. */
export const guides = ({ baseUrl }: Reference): Topic[] => [
  {
    id: 'paging',
    title: 'Paging',
    text: html`<p>Orders, products and customers come in pages of <code>limit</code> records, 50 unless you say otherwise, 100 at most. Pass <code>page.nextCursor</code> as <code>cursor</code> to get the next page, with the other parameters as they were. Go on until <code>nextCursor</code> is null; a page may hold fewer records than <code>limit</code> before that.</p>
<p>Paging never repeats or skips a record that did not change meanwhile. A cursor is good for the list, the store and the sort order that made it; elsewhere it is ${errorLink('invalid_cursor')}.</p>`,
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
    title: 'Keeping a copy in step',
    text: html`<p>Walk the list by <code>order=updatedAt:asc</code> and you miss no change, however many are being written meanwhile. It works for orders, products and customers alike.</p>
<ol>
<li>At first, walk the whole list and store each record under its <code>id</code>.</li>
<li>Keep the last <code>updatedAt</code> you have seen.</li>
<li>Later, walk again with <code>filter[updatedAt][from]</code> set to it. The bound is inclusive: the last records come once more, and storing them by <code>id</code> makes that harmless.</li>
</ol>
<p>A record that changes while you walk moves to the end and is met there. No margin of safety has to be subtracted from the mark.</p>
<p>For speed, let <a href="#webhooks">webhooks</a> tell you when to look; the walk finds whatever was missed.</p>`,
    code: codeBlock('Node', syncCode(baseUrl)),
  },
  {
    id: 'safe-repeats',
    title: 'Repeats and concurrent changes',
    text: html`<p>Send your own <code>externalId</code> with each new order. When an answer is lost, repeat the request: the first answers 201, every repeat 200 with the order as it stands and <code>Idempotent-Replayed: true</code>. Any number of them at once make one order.</p>
<p>An order carries an <code>ETag</code>. Send it back in <code>If-Match</code> with a change, and the change is refused with ${errorLink('precondition_failed')} if somebody else was faster.</p>`,
    code: codeBlock(
      'Change only what you have read',
      `curl -X PATCH '${baseUrl}/api/v1/orders/<id>' \\
  -H "Authorization: Bearer $API_KEY" \\
  -H 'If-Match: <ETag>' \\
  -H 'Content-Type: application/json' \\
  -d '{ "status": "packing" }'`,
    ),
  },
  {
    id: 'versions',
    title: 'Versions',
    text: html`<p>Changes within <code>/api/v1</code> are backward compatible unless the change log says otherwise. Codes of errors are never renamed or reused.</p>`,
  },
];
