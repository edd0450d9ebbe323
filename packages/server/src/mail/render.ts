import { Html, html } from '../http/html.ts';
import { withoutControls } from './mail-address.ts';
import type { Letter } from './templates.ts';

const MAX_SUBJECT = 150;

export interface Rendered {
  subject: string;
  text: string;
  html: string;
  replyTo?: string;
}

/** Every text is one line in the mail, whatever a person has typed into a name. */
const line = (text: string) => withoutControls(text).replace(/\s+/g, ' ').trim();

/** HTML is only in this file: texts are escaped, and the address of the link is ours. */
export function render(letter: Letter): Rendered {
  const links = [letter.link, letter.parcel].filter((link) => link !== undefined);
  const subject = [...line(letter.subject)].slice(0, MAX_SUBJECT).join('');
  const paragraphs = letter.paragraphs.map(line);
  const list = (letter.list ?? []).map(line);
  const note = line(letter.note ?? '');
  const text = [
    ...paragraphs,
    list.map((item) => `- ${item}`).join('\n'),
    ...links.map(({ label, url }) => `${line(label)}:\n${url}`),
    note,
  ];
  return {
    ...(letter.replyTo && { replyTo: letter.replyTo }),
    subject,
    text: `${text.filter(Boolean).join('\n\n')}\n`,
    html: html`${new Html('<!doctype html>')}
<html><head><meta charset="utf-8"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#212529;background:#ffffff">
${paragraphs.map((text) => html`<p style="margin:0 0 16px">${text}</p>\n`)}${
  list.length > 0 &&
  html`<ul style="margin:0 0 16px;padding-left:24px">${list.map((item) => html`<li>${item}</li>`)}</ul>\n`
}${links.map(
  ({ label, url }) => html`<p style="margin:0 0 16px"><a href="${url}" style="color:#1864ab">${line(label)}</a></p>\n`,
)}${note && html`<p style="margin:0;font-size:14px;color:#495057">${note}</p>\n`}</body></html>`.text,
  };
}
