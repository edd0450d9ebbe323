// Optional: the pages of /docs can be read without it.
const root = document.documentElement;
root.classList.add('js');

// Copy buttons. Browsers allow the clipboard on secure pages only.
if (navigator.clipboard) {
  for (const figure of document.querySelectorAll('figure.code')) {
    const button = document.createElement('button');
    const name = figure.querySelector('figcaption').textContent;
    const say = (text) => {
      button.textContent = text;
      button.setAttribute('aria-label', `${text}: ${name}`);
    };
    button.type = 'button';
    button.className = 'copy';
    say('Copy');
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(figure.querySelector('code').textContent);
        say('Copied');
      } catch {
        say('Not allowed');
      }
      setTimeout(() => say('Copy'), 2000);
    });
    figure.append(button);
  }
}

// The language of the samples. The choice applies to all of them, and is kept for the next visit.
const LANGUAGE = 'docs-language';
const boxes = [...document.querySelectorAll('.samples')];
const buttons = [];
function choose(language) {
  root.dataset.language = language;
  for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.language === language));
}
for (const box of boxes) {
  const group = document.createElement('div');
  group.className = 'languages';
  group.setAttribute('role', 'group');
  group.setAttribute('aria-label', 'Language of the samples');
  for (const figure of box.querySelectorAll('figure')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = figure.querySelector('figcaption').textContent.replace('Request, ', '');
    button.dataset.language = figure.dataset.language;
    button.addEventListener('click', () => {
      const before = button.getBoundingClientRect().top;
      choose(button.dataset.language);
      // The samples above have changed their height too.
      scrollBy(0, button.getBoundingClientRect().top - before);
      try {
        localStorage.setItem(LANGUAGE, button.dataset.language);
      } catch {
        // Storage is disabled: the choice lasts until the page is closed.
      }
    });
    group.append(button);
    buttons.push(button);
  }
  box.prepend(group);
}
if (boxes.length) {
  let saved = null;
  try {
    saved = localStorage.getItem(LANGUAGE);
  } catch {
    // Storage is disabled.
  }
  choose(buttons.some((button) => button.dataset.language === saved) ? saved : 'curl');
}

// Deep links: a field can be inside a closed element, and the lines above moved the target after the browser scrolled.
function target() {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
}
function land() {
  const element = target();
  if (!element) return;
  for (let box = element.closest('details'); box; box = box.parentElement.closest('details')) box.open = true;
  element.scrollIntoView();
}
addEventListener('hashchange', land);
addEventListener('load', land);
// A link to the current address does not change the hash.
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#"]');
  if (link && link.hash === location.hash) setTimeout(land);
});
land();

// Each row links to itself. Made when the pointer reaches it, because there are hundreds; the search has them for keyboards.
document.addEventListener('mouseover', (event) => {
  const row = event.target.closest('.fields tr[id]');
  const name = row?.querySelector('th > code');
  if (!name) return;
  const link = document.createElement('a');
  link.className = 'self';
  link.href = `#${row.id}`;
  link.tabIndex = -1;
  name.replaceWith(link);
  link.append(name);
});

// The phone menu closes when a link is chosen, or with Escape.
const menu = document.querySelector('details.menu');
menu.addEventListener('click', (event) => {
  if (event.target.closest('a')) menu.open = false;
});
menu.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !menu.open) return;
  menu.open = false;
  menu.querySelector('summary').focus();
});

// Highlights the current section in the contents.
const links = new Map();
for (const link of document.querySelectorAll('.column a[href^="#"]')) links.set(link.hash.slice(1), link);
const sections = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
let marked;
let waiting = false;
function mark() {
  waiting = false;
  const last = sections.findLast((section) => section.getBoundingClientRect().top < 140);
  const link = last && links.get(last.id);
  if (link === marked) return;
  marked?.removeAttribute('aria-current');
  marked = link;
  if (!link) return;
  link.setAttribute('aria-current', 'location');
  // Within the column only: scrollIntoView would move the page as well.
  const column = link.closest('.column');
  const top = link.getBoundingClientRect().top - column.getBoundingClientRect().top;
  if (top < 60 || top > column.clientHeight - 60) column.scrollTop += top - column.clientHeight / 2;
}
addEventListener(
  'scroll',
  () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(mark);
  },
  { passive: true },
);
mark();
