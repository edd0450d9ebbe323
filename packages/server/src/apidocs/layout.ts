import { API_PREFIX } from '@store-sales/contract';
import { ERRORS_PATH } from '../http/errors.ts';
import { Html, html, type Part } from '../http/html.ts';
import { assets } from './assets.ts';

export const REFERENCE_PATH = '/docs';
export const OPENAPI_PATH = `${API_PREFIX}/openapi.json`;

export interface Link {
  href: string;
  text: Part;
  method?: string;
}

export interface LinkGroup {
  title: string;
  links: readonly Link[];
}

/** Text on the left, with its code on the right. */
export interface Topic {
  id: string;
  title: string;
  text: Part;
  code?: Part;
}

export const block = (text: Part, code?: Part): Html =>
  html`<section class="block"><div class="text">${text}</div>${code && html`<div class="beside">${code}</div>`}</section>
`;

export const badge = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`;

const list = ({ title, links }: LinkGroup) => html`<li class="group"><p>${title}</p><ul>
${links.map(
  ({ href, text, method }) =>
    html`<li><a href="${href}">${text}${method && html` <span class="unseen">,</span> ${badge(method)}`}</a></li>
`,
)}</ul></li>
`;

const documents: LinkGroup = {
  title: 'Documents',
  links: [
    { href: REFERENCE_PATH, text: 'API reference' },
    { href: ERRORS_PATH, text: 'Error reference' },
    { href: OPENAPI_PATH, text: 'OpenAPI document' },
  ],
};

const contents = (groups: readonly LinkGroup[]) => html`<nav class="contents" aria-label="Contents">
<ul>
${groups.map(list)}</ul>
</nav>`;

/** `data-other` is the page that the search covers too. */
const searchDialog = (
  current: string,
) => html`<dialog class="search" aria-label="Search" data-other="${current === ERRORS_PATH ? REFERENCE_PATH : ERRORS_PATH}">
<div class="inside"><p><input type="search" aria-label="Search" placeholder="Endpoint, field or error" autocomplete="off" spellcheck="false"><button type="button">Close</button></p>
<p role="status"></p>
<ol></ol></div>
</dialog>`;

export interface Page {
  title: string;
  current: string;
  groups: readonly LinkGroup[];
  body: Part;
}

// Not in an `html` template: the bundler splits a literal `</script>` in a template.
const scripts = [assets.page, assets.search, assets.tryIt].map(
  ({ path }) => new Html(`<script type="module" src="${path}"></script>\n`),
);

/** The contents are rendered twice, as a menu for phones and as a column; only one is visible. */
export const layout = ({ title, current, groups, body }: Page): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${assets.icon.path}">
<link rel="stylesheet" href="${assets.style.path}">
${scripts}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${REFERENCE_PATH}"><img src="${assets.icon.path}" alt="" width="24" height="24">Store Sales API</a>
<nav class="documents" aria-label="Documents">${documents.links.map(
  ({ href, text }) => html`<a href="${href}"${href === current && html` aria-current="page"`}>${text}</a>`,
)}</nav>
<button type="button" class="find" hidden>Search <kbd aria-hidden="true">/</kbd></button>
<details class="menu"><summary>Contents</summary>${contents([documents, ...groups])}</details>
</header>
<div class="frame">
<div class="column">${contents(groups)}</div>
<main id="content" tabindex="-1">
${body}</main>
</div>
${searchDialog(current)}
</body>
</html>
`;
