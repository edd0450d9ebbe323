/** The style of both pages: system fonts, light and dark mode. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #ffffff;
  --raised: #f7f8fa;
  --line: #e4e7ec;
  --text: #1d2433;
  --soft: #566074;
  --accent: #4f46e5;
  --tint: #eef0fe;
  --on-accent: #ffffff;
  --control: #7b859b;
  --warn: #b42318;
  --good: #067647;
  --code-page: #151a2b;
  --code-bar: #1e2538;
  --code-line: transparent;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace;
  --top: 56px;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1220;
    --raised: #161b2c;
    --line: #283048;
    --text: #e5e9f2;
    --soft: #a3adc2;
    --accent: #a5b4fc;
    --tint: #23294a;
    --on-accent: #12162a;
    --control: #6c7793;
    --warn: #fda29b;
    --good: #75e0a7;
    --code-page: #141930;
    --code-bar: #1b2140;
    --code-line: #2a3252;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: calc(var(--top) + 20px); -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.6 var(--sans); overflow-wrap: break-word; }
[hidden] { display: none !important; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
a { color: var(--accent); text-underline-offset: 3px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
code { font: .875em/1.5 var(--mono); }
p code, li code, td code { background: var(--raised); border: 1px solid var(--line); border-radius: 5px; padding: .08em .35em; overflow-wrap: anywhere; -webkit-box-decoration-break: clone; box-decoration-break: clone; }
.skip { position: absolute; left: 16px; top: -60px; z-index: 30; background: var(--accent); color: var(--on-accent); padding: 8px 14px; border-radius: 0 0 8px 8px; }
.skip:focus { top: 0; }

/* Top bar */
.top { position: sticky; top: 0; z-index: 20; display: flex; align-items: center; gap: 24px; height: var(--top); padding: 0 28px; background: var(--page); border-bottom: 1px solid var(--line); }
.brand { margin-right: auto; display: flex; align-items: center; gap: 10px; color: var(--text); font-weight: 650; text-decoration: none; white-space: nowrap; }
.documents { order: 2; display: flex; gap: 4px; font-size: 14px; }
.documents a { padding: 6px 12px; border-radius: 8px; color: var(--soft); text-decoration: none; }
.documents a:hover { background: var(--raised); color: var(--text); }
.documents a[aria-current] { background: var(--tint); color: var(--accent); font-weight: 550; }
.menu { display: none; }
button { font: inherit; color: inherit; cursor: pointer; }
.find { order: 1; display: flex; align-items: center; gap: 10px; padding: 5px 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--raised); color: var(--soft); font-size: 14px; }
.find:hover { color: var(--text); }
kbd { padding: 0 6px; border: 1px solid var(--line); border-radius: 5px; background: var(--page); font: 12px/18px var(--mono); }

/* Contents */
.frame { display: grid; grid-template-columns: 272px minmax(0, 1fr); }
.column { position: sticky; top: var(--top); height: calc(100vh - var(--top)); overflow-y: auto; border-right: 1px solid var(--line); padding: 20px 14px 48px 16px; scrollbar-width: thin; scrollbar-color: var(--line) transparent; }
.contents { font-size: 14px; line-height: 1.4; }
.contents ul { list-style: none; margin: 0; padding: 0; }
.contents li { margin: 0; }
.contents .group { margin-bottom: 20px; }
.contents .group > p { margin: 0 0 4px; padding: 0 12px; font-size: 12px; font-weight: 650; letter-spacing: .04em; text-transform: uppercase; color: var(--soft); }
.contents a { display: flex; align-items: center; justify-content: space-between; gap: 8px; padding: 6px 12px; border-radius: 8px; color: var(--text); text-decoration: none; }
.contents a:hover { background: var(--raised); }
.contents a[aria-current] { background: var(--tint); color: var(--accent); }
.contents a[aria-current] .method.patch { border-color: var(--accent); }
.contents a code { background: none; border: 0; padding: 0; }

/* Search */
.search { width: min(680px, calc(100vw - 32px)); max-width: none; max-height: min(720px, calc(100dvh - 64px)); margin: 32px auto; padding: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--page); color: var(--text); box-shadow: 0 24px 64px rgb(0 0 0 / .35); }
.search::backdrop { background: rgb(8 11 22 / .5); }
.search p { margin: 0; padding: 0 16px; color: var(--soft); font-size: 13.5px; }
.search p:empty { display: none; }
.search p:first-child { position: sticky; top: 0; z-index: 1; display: flex; gap: 10px; padding: 14px 16px; background: var(--page); }
.search input { flex: 1; min-width: 0; }
.search ol { list-style: none; margin: 0; padding: 8px; }
.search li { margin: 0; }
.search a { display: block; padding: 8px 10px; border-radius: 8px; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
.search a:hover, .search a:focus { background: var(--tint); }
.search a span { display: block; font-size: 13.5px; line-height: 1.45; }
.search a .name { font-size: 15px; font-weight: 600; }
.search a .place { color: var(--accent); }
mark { background: none; color: inherit; font-weight: 700; text-decoration: underline; text-decoration-color: var(--accent); text-underline-offset: 2px; }

/* Try it */
input, select, textarea { padding: 8px 12px; border: 1px solid var(--control); border-radius: 8px; background: var(--page); color: inherit; font: inherit; font-size: 16px; }
::placeholder { color: var(--soft); opacity: 1; }
.try, .request button, .search button { padding: 6px 14px; border: 1px solid var(--line); border-radius: 8px; background: var(--page); font-size: 14px; font-weight: 550; }
.try, .request [type=submit] { border-color: var(--accent); color: var(--accent); }
.request [type=submit] { background: var(--accent); color: var(--on-accent); }
.request [type=submit]:disabled { opacity: .6; }
.request { margin: 0 0 20px; padding: 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); }
.request .field { display: block; margin: 0 0 12px; }
.request .field .name { display: block; margin-bottom: 4px; font-size: 14px; overflow-wrap: anywhere; }
.request .field .type { display: inline; }
.request .field :is(input, select, textarea) { display: block; width: 100%; font: 15px/1.5 var(--mono); }
.request textarea { resize: vertical; font-size: 13px !important; white-space: pre; }
.request summary { margin-bottom: 12px; font-size: 14px; font-weight: 550; color: var(--accent); }
.request .random { display: block; margin: -4px 0 12px; }
.notice { padding: 8px 12px; border-left: 3px solid var(--warn); background: var(--page); font-size: 14px; }
.buttons { display: flex; gap: 10px; margin: 0; }
.result:not(:empty) { margin-top: 16px; }
.result p { margin: 0 0 8px; font-size: 14px; overflow-wrap: anywhere; }
.result .ok, .result .failed { font: 650 14px/1.5 var(--mono); color: var(--good); }
.result .failed { color: var(--warn); }
.result dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 2px 12px; margin: 0 0 12px; font: 13px/1.5 var(--mono); }
.result dt { color: var(--soft); }
.result dd { margin: 0; overflow-wrap: anywhere; }
.result .code { margin: 0; }
.result .code pre { max-height: 60vh; }

/* Method badges: one accent, three strengths */
.method { flex: none; display: inline-block; min-width: 46px; padding: 1px 6px; border: 1px solid var(--line); border-radius: 5px; text-align: center; font: 650 11px/16px var(--mono); letter-spacing: .02em; background: var(--raised); color: var(--soft); }
.method.post { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.method.patch { background: var(--tint); border-color: var(--tint); color: var(--accent); }

/* Reading */
main { padding: 40px 40px 120px; max-width: 1240px; min-width: 0; }
.narrow { max-width: 780px; }
h1 { margin: 0 0 12px; font-size: 34px; line-height: 1.2; letter-spacing: -.02em; }
h2 { margin: 0 0 6px; font-size: 26px; line-height: 1.25; letter-spacing: -.015em; }
h3 { margin: 0 0 12px; font-size: 20px; line-height: 1.3; letter-spacing: -.01em; }
h4 { margin: 28px 0 8px; font-size: 15px; line-height: 1.4; }
p { margin: 0 0 14px; }
ul, ol { margin: 0 0 14px; padding-left: 22px; }
li { margin-bottom: 6px; }
.lead { color: var(--soft); font-size: 17px; max-width: 68ch; }
.version { color: var(--soft); font-size: 14px; }
.chapter { margin-top: 64px; padding-top: 40px; border-top: 1px solid var(--line); }
.self { color: inherit; text-decoration: none; }
.self:hover { text-decoration: underline; text-decoration-color: var(--accent); }
h1 + .lead { margin-bottom: 8px; }
.self:hover::after { content: " #"; color: var(--accent); }
.block { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 40px; padding: 36px 0; }
.block + .block { border-top: 1px solid var(--line); }
.block > .text:only-child { grid-column: 1 / -1; max-width: 68ch; }
.beside { position: sticky; top: calc(var(--top) + 20px); align-self: start; max-height: calc(100vh - var(--top) - 40px); display: flex; flex-direction: column; gap: 16px; }
.beside .code { margin: 0; flex: 0 1 auto; }
.beside .code:last-child:not(:only-child) { min-height: 120px; }
.beside .samples, .beside .code:first-child:not(:only-child) { flex: none; max-height: 46vh; }
.route { display: flex; align-items: baseline; gap: 10px; margin-bottom: 8px; }
.route code { background: none; border: 0; padding: 0; font-size: 15px; overflow-wrap: normal; }
.route .method { font-size: 12px; }
.right { color: var(--soft); font-size: 14px; }

/* Tables */
table { width: 100%; border-collapse: collapse; font-size: 14.5px; margin: 0 0 16px; }
th, td { padding: 10px 12px 10px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td:last-child { padding-right: 0; }
thead th { padding: 6px 12px 6px 0; font-size: 12.5px; font-weight: 600; color: var(--soft); }
tbody th { font-weight: 400; }
td p { margin: 0 0 4px; }
td p:last-child { margin: 0; }
td ul { margin: 6px 0 0; padding-left: 18px; }
.fields { table-layout: fixed; }
.fields th:first-child { width: 44%; }
.fields tbody th { overflow-wrap: anywhere; }
.fields tbody th code { font-weight: 600; }
.type { display: block; color: var(--soft); font-size: 13px; line-height: 1.45; }
.required, .sometimes { font-size: 12px; font-weight: 600; color: var(--accent); white-space: nowrap; }
.sometimes { color: var(--soft); font-weight: 400; }
.fields .in1 { padding-left: 18px; }
.fields .in2 { padding-left: 36px; }
.fields .in3 { padding-left: 54px; }
.in1, .in2, .in3 { background: linear-gradient(var(--line), var(--line)) no-repeat; background-size: 2px 100%; }
.in1 { background-position: 4px 0; }
.in2 { background-position: 22px 0; }
.in3 { background-position: 40px 0; }
.rules { color: var(--soft); font-size: 13.5px; }
.rule code { display: inline-block; max-width: 100%; }
.rule + .rule::before { content: " · "; }
.statuses th:first-child { width: 72px; }
.statuses tbody th { font: 600 13.5px/1.7 var(--mono); }
.plain tbody th { padding-right: 20px; white-space: nowrap; }
tr:target { background: var(--tint); }
.again { margin-bottom: 16px; }
summary { cursor: pointer; }
.again summary { display: inline-block; padding: 6px 12px; border: 1px solid var(--line); border-radius: 8px; color: var(--accent); font-size: 14px; font-weight: 550; }
.again summary:hover { background: var(--raised); }
.again[open] summary { margin-bottom: 8px; }
.error { padding: 20px 0 6px; }
.error h3 { margin-bottom: 6px; font-size: 19px; }
.error h3 code { font-weight: 650; }
.error h3:target { color: var(--accent); }
.error .title { display: flex; align-items: baseline; gap: 10px; font-weight: 600; margin-bottom: 4px; }

/* Code */
.code { position: relative; display: flex; flex-direction: column; margin: 0 0 16px; border: 1px solid var(--code-line); border-radius: 10px; background: var(--code-page); color: #e3e7f3; overflow: hidden; }
.code figcaption { flex: none; padding: 8px 84px 8px 16px; background: var(--code-bar); color: #b9c1d6; font-size: 12.5px; font-weight: 550; }
.code pre { margin: 0; padding: 14px 16px; min-height: 0; overflow: auto; font: 13px/1.6 var(--mono); scrollbar-width: thin; scrollbar-color: #47506e transparent; tab-size: 2; }
.code pre:focus-visible { outline: 2px solid #a5b4fc; outline-offset: -2px; border-radius: 0 0 10px 10px; }
.code pre code { font: inherit; white-space: pre; }
.code .k { color: #b4bfff; }
.code .s { color: #a6e0c0; }
.code .v { color: #f2c998; }
.copy { position: absolute; top: 4px; right: 6px; padding: 3px 10px; border: 0; border-radius: 6px; background: transparent; color: #cdd4e6; font: 550 12.5px/20px var(--sans); cursor: pointer; }
.copy:hover { background: #333c59; color: #ffffff; }
.copy:focus-visible { outline-color: #a5b4fc; }

/* Samples: one language at a time */
.samples { display: flex; flex-direction: column; min-height: 0; }
.samples .code { display: none; margin: 0; min-height: 0; }
:root:not([data-language]) .samples .code[data-language=curl], :root[data-language=curl] .samples .code[data-language=curl],
:root[data-language=javascript] .samples .code[data-language=javascript], :root[data-language=python] .samples .code[data-language=python],
:root[data-language=php] .samples .code[data-language=php] { display: flex; }
.languages { flex: none; display: flex; flex-wrap: wrap; gap: 4px; margin-bottom: 8px; }
.languages button { padding: 3px 10px; border: 1px solid transparent; border-radius: 8px; background: none; color: var(--soft); font-size: 13.5px; font-weight: 550; }
.languages button:hover { background: var(--raised); color: var(--text); }
.languages button[aria-pressed=true] { background: var(--tint); color: var(--accent); }

@media (max-width: 1199px) {
  .block { grid-template-columns: minmax(0, 1fr); gap: 20px; }
  .beside { position: static; max-height: none; }
  .beside .samples, .beside .code:first-child:not(:only-child) { max-height: none; }
  .beside .code pre { max-height: 70vh; }
}
@media (max-width: 899px) {
  .top { position: relative; gap: 10px; padding: 0 16px; }
  .js .top { position: sticky; }
  .documents, .column { display: none; }
  .menu { display: block; flex: none; }
  kbd { display: none; }
  .brand { min-width: 0; overflow: hidden; }
  .find { order: 0; flex: none; }
  .menu summary { white-space: nowrap; padding: 6px 14px; border: 1px solid var(--line); border-radius: 8px; font-size: 14px; font-weight: 550; list-style: none; }
  .menu summary::-webkit-details-marker { display: none; }
  .menu summary::after { content: ""; display: inline-block; width: 7px; height: 7px; margin: 0 2px 3px 10px; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(45deg); }
  .menu[open] summary::after { transform: rotate(225deg); margin-bottom: -1px; }
  .menu .contents { position: absolute; top: 100%; left: 0; right: 0; max-height: calc(100vh - var(--top)); max-height: calc(100dvh - var(--top)); overflow-y: auto; overscroll-behavior: contain; padding: 16px; background: var(--page); border-bottom: 1px solid var(--line); box-shadow: 0 16px 32px rgb(0 0 0 / .18); }
  .menu .contents a { padding: 9px 12px; }
  .frame { grid-template-columns: minmax(0, 1fr); }
  main { padding: 28px 16px 80px; }
  h1 { font-size: 28px; }
  h2 { font-size: 23px; }
  .chapter { margin-top: 40px; padding-top: 32px; }
  .block { padding: 28px 0; }
  .plain tbody th { white-space: normal; overflow-wrap: anywhere; }
}
@media print {
  .top, .column, .copy, .languages, .try, .request { display: none; }
  .frame, .block { display: block; }
  .code pre code { white-space: pre-wrap; }
}
`;
