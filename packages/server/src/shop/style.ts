import { shortHash } from '../text/short-hash.ts';

/** The style of the order page. `accent` is the store's colour, checked when it is saved. */
export const styleOf = (accent: string) => `:root {
  color-scheme: light dark;
  --accent: ${accent};
  --text: #1a1b1e;
  --dimmed: #5c636b;
  --surface: #ffffff;
  --page: #f6f7f9;
  --border: #d9dde2;
  --error: #b42318;
  --notice: #fff4de;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #eceef1;
    --dimmed: #a6adb6;
    --surface: #1d2024;
    --page: #141619;
    --border: #383d44;
    --error: #ff9a90;
    --notice: #3a2f18;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: inherit; }
header, main, footer { max-width: 1080px; margin: 0 auto; padding: 16px; }
header { display: flex; flex-wrap: wrap; gap: 12px 24px; align-items: center; }
header .title { font-size: 1.25rem; font-weight: 700; text-decoration: none; flex: 1 1 0; min-width: 50%; }
.badge { display: inline-block; min-width: 1.6em; padding: 0 6px; border-radius: 999px; background: var(--text); color: var(--page); text-align: center; font-size: 0.85rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 8px 0 16px; }
h2 { font-size: 1.15rem; margin: 24px 0 8px; }
.about, footer { white-space: pre-line; color: var(--dimmed); }
.panel, .product, .line { background: var(--surface); border: 1px solid var(--border); border-radius: 12px; padding: 16px; }
.products { display: grid; gap: 16px; grid-template-columns: repeat(auto-fill, minmax(min(220px, 45%), 1fr)); list-style: none; margin: 0; padding: 0; }
.product { display: flex; flex-direction: column; gap: 8px; min-width: 0; }
.product button { width: 100%; }
@media (max-width: 480px) { .product { padding: 10px; } .product button { padding: 10px 6px; } }
.product h2 { font-size: 1rem; margin: 0; }
.product h2 a { text-decoration: none; }
.product h2 a:hover { text-decoration: underline; }
.product form { margin-top: auto; }
.picture { width: 100%; aspect-ratio: 4 / 3; object-fit: contain; border-radius: 8px; }
img { max-width: 100%; }
img.picture { height: auto; }
.cover { display: block; width: 100%; height: auto; aspect-ratio: 3 / 1; object-fit: cover; border-radius: 12px; margin: 0 0 16px; }
.logo { width: auto; height: 40px; max-width: 80px; object-fit: contain; border-radius: 6px; margin-right: -12px; }
.pictures { display: flex; gap: 8px; overflow-x: auto; scroll-snap-type: x mandatory; list-style: none; margin: 0; padding: 0; border-radius: 8px; }
.pictures li { flex: 0 0 100%; scroll-snap-align: start; }
.thumbnails { display: flex; flex-wrap: wrap; gap: 8px; list-style: none; margin: 12px 0 0; padding: 0; }
.thumbnails a { display: block; width: 64px; border: 1px solid var(--border); border-radius: 8px; overflow: hidden; }
.thumbnails .picture { display: block; aspect-ratio: 1; object-fit: cover; border-radius: 0; }
.price { font-weight: 700; font-size: 1.1rem; margin: 0; }
.price del { font-weight: 400; font-size: .95rem; opacity: .75; white-space: nowrap; }
fieldset + .field, .hint + fieldset { margin-top: 16px; }
.categories { display: flex; flex-wrap: wrap; gap: 8px; list-style: none; margin: 0 0 20px; padding: 0; }
.categories a { display: inline-block; padding: 6px 12px; border: 1px solid var(--border); border-radius: 999px; background: var(--surface); text-decoration: none; }
.categories a[aria-current] { border-color: var(--text); font-weight: 600; }
.row { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
.field.promo { margin-top: 16px; }
.promo .row { flex-wrap: nowrap; }
.promo button { flex: none; }
.search { display: flex; gap: 8px; order: 1; flex: 1 0 100%; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.search button { flex: none; }
.sum strong, .totals span + span { white-space: nowrap; }
.sum { display: flex; gap: 12px; justify-content: space-between; margin: 8px 0; }
.line { display: grid; gap: 8px; margin-bottom: 12px; }
.totals { display: flex; justify-content: space-between; gap: 16px; font-size: 1.15rem; font-weight: 700; margin: 16px 0; }
input, textarea, select { font: inherit; color: inherit; background: var(--surface); border: 1px solid #868e96; border-radius: 8px; padding: 10px 12px; width: 100%; min-height: 44px; }
input[type="radio"] { width: 20px; min-height: 20px; margin: 0; accent-color: var(--accent); flex: none; }
.quantity { width: 96px; }
label, legend { display: block; font-weight: 600; margin-bottom: 4px; }
.field, fieldset { margin: 0 0 16px; border: 0; padding: 0; min-width: 0; }
legend { padding: 0; }
.panel > h2:first-child { margin-top: 0; }
.checkout { display: grid; gap: 16px; }
.choice { display: flex; gap: 10px; align-items: center; font-weight: 400; padding: 8px 0; }
.hint { color: var(--dimmed); font-size: 0.9rem; margin: 4px 0 0; }
.error { color: var(--error); font-size: 0.95rem; margin: 4px 0 0; }
.notice { background: var(--notice); border: 1px solid var(--border); border-radius: 12px; padding: 12px 16px; margin: 0 0 16px; }
.trap { position: absolute; left: -10000px; width: 1px; height: 1px; overflow: hidden; }
button, .button { font: inherit; font-weight: 600; min-height: 44px; padding: 10px 18px; border-radius: 8px; border: 1px solid transparent; background: var(--accent); color: #fff; cursor: pointer; text-decoration: none; display: inline-block; }
button.plain { background: transparent; color: inherit; border-color: var(--border); }
.script .update, html:not(.script) .scripted, .script .unscripted { display: none; }
footer:empty, .about:empty { display: none; }
h1:focus { outline: none; }
[aria-busy]::before { content: ''; position: fixed; inset: 0 auto auto 0; height: 3px; width: 90%; background: var(--accent); animation: load 8s ease-out; }
@keyframes load { from { width: 0; } }
#status { position: fixed; inset: auto 16px 16px; display: grid; justify-items: center; pointer-events: none; }
#status p { margin: 0; padding: 12px 20px; border-radius: 12px; background: var(--text); color: var(--page); pointer-events: auto; box-shadow: 0 4px 16px rgb(0 0 0 / 0.25); }
.wide { width: 100%; font-size: 1.05rem; text-align: center; }
.details { display: grid; gap: 16px; }
.details > * { min-width: 0; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 16px; margin: 0; }
dt { color: var(--dimmed); }
dd { margin: 0; }
@media (min-width: 760px) {
  .line { grid-template-columns: 1fr auto auto; align-items: center; }
  .search { order: 0; flex: none; }
  .details { grid-template-columns: 1fr 1fr; gap: 32px; align-items: start; }
  .cart-end { max-width: 360px; margin-left: auto; }
  .checkout { grid-template-columns: 3fr 2fr; gap: 24px; align-items: start; }
}
`;

/** A shopping bag on the store's colour. */
export const iconOf = (accent: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="${accent}"/><path d="M6 9.5h12l-1 8.5H7zM9 9.5V8a3 3 0 0 1 6 0v1.5" fill="none" stroke="#fff" stroke-width="1.8" stroke-linejoin="round"/></svg>`;

const version = shortHash(styleOf(''));

/** Changes with the style, so that browsers can cache it forever. */
export const styleVersion = (accent: string) => `${version}-${accent.slice(1)}`;
