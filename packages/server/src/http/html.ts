/** HTML that is not escaped again. */
export class Html {
  constructor(readonly text: string) {}
}

export type Part = Html | string | number | false | null | undefined | readonly Part[];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] as string);

function write(part: Part): string {
  if (part === false || part === null || part === undefined) return '';
  if (part instanceof Html) return part.text;
  if (typeof part === 'object') return part.map(write).join('');
  return escapeText(String(part));
}

/** An HTML template. Values are escaped unless they are `Html`. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.reduce((page, string, index) => page + write(parts[index - 1]) + string));

/** Text of the contract, with `code` between backticks. */
export const prose = (text: string): Html =>
  new Html(escapeText(text).replace(/`([^`]+)`/g, (_, code) => `<code>${code}</code>`));

/** Like `Array.join`, for parts. */
export const joined = (parts: readonly Part[], between: Part): Part =>
  parts.flatMap((part, index) => (index ? [between, part] : [part]));

/** A heading that links to itself, so that its address can be copied. */
export const heading = (level: 2 | 3 | 4, id: string, text: Part): Html =>
  html`${new Html(`<h${level}`)} id="${id}"><a class="self" href="#${id}">${text}</a>${new Html(`</h${level}>`)}`;
