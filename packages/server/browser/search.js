// Full-text search of both pages of /docs, fields included. The index is made of the pages themselves.
const MAX_RESULTS = 40;
const SNIPPET_LENGTH = 140;

const dialog = document.querySelector('dialog.search');
const input = dialog.querySelector('input');
const list = dialog.querySelector('ol');
const status = dialog.querySelector('[role=status]');

const text = (element) => element.textContent.replace(/\s+/g, ' ').trim();

/** One entry for each section and each row that has an anchor. */
function entriesOf(page, path) {
  const entries = [];
  const add = (id, title, place, body) =>
    entries.push({ href: `${path}#${id}`, title, place, body, words: `${title} ${place} ${body}`.toLowerCase() });
  for (const section of page.querySelectorAll('main .block, main section.error')) {
    const heading = section.querySelector('h3');
    const chapter = section.closest('.chapter').querySelector('h2');
    const place = text(chapter);
    const paragraphs = section.querySelectorAll('.text > p, .text > ul, .text > ol, .text > table.plain, :scope > p');
    add(heading.id, text(heading), place, [...paragraphs].map(text).join(' '));
  }
  for (const row of page.querySelectorAll('main tr[id]')) {
    const section = row.closest('.block')?.querySelector('h3') ?? row.closest('.chapter').querySelector('h2');
    const part = text(row.closest('table').caption).split(' ')[0];
    const name = row.querySelector('th code');
    const rest = [...row.querySelectorAll('.type, td > p, td:not(:has(p))')].map(text).join(' ');
    add(row.id, text(name), `${text(section)} › ${part}`, rest);
  }
  return entries;
}

// The parser of XMLHttpRequest runs no scripts and, unlike DOMParser, is allowed by trusted types.
function load(path) {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('GET', path);
    request.responseType = 'document';
    request.onload = () => resolve(request.status === 200 ? request.response : null);
    request.onerror = () => resolve(null);
    request.send();
  });
}

let index;
async function buildIndex() {
  const other = dialog.dataset.other;
  const entries = entriesOf(document, location.pathname);
  const page = await load(other);
  // Offline, the search covers this page.
  return page ? [...entries, ...entriesOf(page, other)] : entries;
}

/** Higher is better; 0 if a word is missing. */
function score(entry, words) {
  if (!words.every((word) => entry.words.includes(word))) return 0;
  const title = entry.title.toLowerCase();
  let points = words.every((word) => title.includes(word)) ? 30 : 1;
  for (const word of words) {
    if (title === word || title.endsWith(`.${word}`)) points += 20;
    else if (title.startsWith(word)) points += 10;
    else if (title.includes(word)) points += 5;
    else if (entry.place.toLowerCase().includes(word)) points += 2;
  }
  return points;
}

/** Text with the words marked; nodes, never HTML. */
function marked(value, words) {
  const found = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return value.split(new RegExp(`(${found})`, 'i')).map((part, position) => {
    if (position % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

function snippet(body, words) {
  const at = Math.max(0, Math.min(...words.map((word) => body.toLowerCase().indexOf(word)).filter((n) => n >= 0)) - 40);
  const start = Number.isFinite(at) ? at : 0;
  const cut = body.slice(start, start + SNIPPET_LENGTH);
  return `${start ? '…' : ''}${cut}${start + SNIPPET_LENGTH < body.length ? '…' : ''}`;
}

function line(tag, className, value, words) {
  const element = document.createElement(tag);
  element.className = className;
  element.append(...marked(value, words));
  return element;
}

async function show() {
  const words = input.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
  index ??= buildIndex();
  const entries = await index;
  // Typed on while the index was being built.
  if (words.join(' ') !== input.value.trim().toLowerCase().split(/\s+/).join(' ')) return;
  const found = entries
    .map((entry) => ({ entry, points: words.length ? score(entry, words) : 0 }))
    .filter(({ points }) => points)
    .sort((a, b) => b.points - a.points);
  const shown = found.slice(0, MAX_RESULTS).map(({ entry }) => {
    const item = document.createElement('li');
    const link = document.createElement('a');
    link.href = entry.href;
    link.append(
      line('span', 'name', entry.title, words),
      line('span', 'place', entry.place, words),
      line('span', 'text', snippet(entry.body, words), words),
    );
    item.append(link);
    return item;
  });
  list.replaceChildren(...shown);
  const count = found.length > MAX_RESULTS ? `first ${MAX_RESULTS} of ${found.length}` : found.length;
  status.textContent = words.length ? (found.length ? `Results: ${count}` : 'No results.') : '';
}

function open() {
  dialog.showModal();
  input.select();
  index ??= buildIndex();
}

for (const button of document.querySelectorAll('button.find')) {
  button.hidden = false;
  button.addEventListener('click', open);
}
input.addEventListener('input', show);

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select');
  const isShortcut = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
  const isPalette = event.key === 'k' && (event.ctrlKey || event.metaKey);
  if (dialog.open || !(isShortcut || isPalette)) return;
  event.preventDefault();
  open();
});

// The arrow keys move between the input and the results; Enter in the input opens the first result.
dialog.addEventListener('keydown', (event) => {
  // The first Escape would only empty the input.
  if (event.key === 'Escape') dialog.close();
  const stops = [input, ...list.querySelectorAll('a')];
  const at = stops.indexOf(document.activeElement);
  if (event.key === 'Enter' && at === 0) stops[1]?.click();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (event.key === 'Enter' ? at === 0 : step) event.preventDefault();
  if (step) stops[Math.min(Math.max(at + step, 0), stops.length - 1)].focus();
});
dialog.addEventListener('click', (event) => {
  if (event.target === dialog || event.target.closest('a, button')) dialog.close();
});
