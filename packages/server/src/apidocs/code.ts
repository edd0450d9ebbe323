import { type Html, html, type Part } from '../http/html.ts';

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?/g;

/** JSON with syntax highlighting. */
export function json(value: unknown): Html {
  const text = JSON.stringify(value, undefined, 2);
  const parts: Part[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, string, colon] = match;
    parts.push(text.slice(end, match.index));
    if (colon) parts.push(html`<span class="k">${string}</span>${colon}`);
    else parts.push(html`<span class="${string ? 's' : 'v'}">${token}</span>`);
    end = match.index + token.length;
  }
  return html`${parts}${text.slice(end)}`;
}

/** A code block with a caption. Focusable, so that it can be scrolled with the keyboard. */
export const codeBlock = (name: Part, code: Part, language?: string): Html =>
  html`<figure class="code"${language && html` data-language="${language}"`}><figcaption>${name}</figcaption><pre tabindex="0"><code>${code}</code></pre></figure>`;

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

export interface CurlRequest {
  method: string;
  url: string;
  query?: readonly (readonly [string, string | number])[];
  body?: unknown;
}

/** A `curl` line that works when pasted, once API_KEY is set. */
export function curl({ method, url, query = [], body }: CurlRequest): string {
  const lines = [`curl ${method === 'PATCH' ? '-X PATCH ' : ''}${query.length ? '-G ' : ''}${quoted(url)}`];
  lines.push('-H "Authorization: Bearer $API_KEY"');
  for (const [name, value] of query) lines.push(`--data-urlencode ${quoted(`${name}=${value}`)}`);
  if (body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`);
    lines.push(`-d ${quoted(JSON.stringify(body, undefined, 2).replaceAll('\n', '\n  '))}`);
  }
  return lines.join(' \\\n  ');
}
