/** Optional: the pages work without it. */
export const script = `'use strict';
document.documentElement.classList.add('js');

// Copy buttons. Browsers allow the clipboard on secure pages only.
if (navigator.clipboard) {
  for (const figure of document.querySelectorAll('figure.code')) {
    const button = document.createElement('button');
    const name = figure.querySelector('figcaption').textContent;
    const say = (text) => {
      button.textContent = text;
      button.setAttribute('aria-label', text + ': ' + name);
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

// The filter of the contents.
for (const box of document.querySelectorAll('.filter')) {
  const input = box.querySelector('input');
  const groups = box.parentElement.querySelectorAll('.group');
  box.hidden = false;
  input.addEventListener('input', () => {
    const wanted = input.value.trim().toLowerCase();
    let shown = 0;
    for (const group of groups) {
      let inGroup = 0;
      const title = group.querySelector('p').textContent.toLowerCase();
      for (const item of group.querySelectorAll('li')) {
        item.hidden = !(title + ' ' + item.textContent.toLowerCase()).includes(wanted);
        if (!item.hidden) inGroup++;
      }
      group.hidden = inGroup === 0;
      shown += inGroup;
    }
    box.querySelector('.none').textContent = shown ? '' : 'No matches.';
  });
}

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
addEventListener('scroll', () => {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(mark);
}, { passive: true });
mark();
`;
