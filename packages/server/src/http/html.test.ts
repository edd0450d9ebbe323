import { expect, test } from 'vitest';
import { json } from '../apidocs/code.ts';
import { html, prose } from './html.ts';

const named: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&' };

test('values are escaped, Html is not', () => {
  expect(html`<p title="${'"'}">${"<b>&'"}${html`<i>${1}</i>`}${[false, null, undefined, 'x']}</p>`.text).toBe(
    '<p title="&quot;">&lt;b&gt;&amp;&#39;<i>1</i>x</p>',
  );
  expect(prose('`<a>` & <b>').text).toBe('<code>&lt;a&gt;</code> &amp; &lt;b&gt;');
});

test('JSON is highlighted and escaped', () => {
  const value = { 'a<': ['</pre>"', 1, null, { b: 'x: 1' }] };
  const { text } = json(value);
  expect(text).not.toContain('</pre>');
  expect(JSON.parse(text.replace(/<[^>]+>/g, '').replace(/&(\w+);/g, (_, name) => named[name] as string))).toEqual(
    value,
  );
  expect(text).toContain('<span class="k">&quot;b&quot;</span>: <span class="s">&quot;x: 1&quot;</span>');
});
