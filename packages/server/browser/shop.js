/**
 * Makes the pages of a shop smooth: links and forms load the next page in place. All of them work without it, and
 * whatever it cannot handle is left to the browser.
 */
const base = document.querySelector('header .title').pathname;
const draftName = `checkout ${base}`;
const isOurs = (url) =>
  url.origin === location.origin && (url.pathname === base || url.pathname.startsWith(`${base}/`));
const message = (name) => document.body.dataset[name];

/** Grows with everything that the customer asks for; only the latest is shown. */
let turns = 0;
/** Forms are sent one after another, so that each has the cart of the one before. */
let queue = Promise.resolve();
let failures = 0;
/** Shows the outcome of a sent form, unless something newer is shown first. */
let showLater;
let loading = 0;
let isPressed = false;
let isTyping = false;

async function load(url, options) {
  loading++;
  document.body.setAttribute('aria-busy', 'true');
  try {
    const response = await fetch(url, options);
    return { response, page: new DOMParser().parseFromString(await response.text(), 'text/html') };
  } finally {
    if (!--loading) document.body.removeAttribute('aria-busy');
  }
}

/** An error page has no header. */
const isShopPage = (page) => page.querySelector('header .title') !== null;
/** What an error page says, or why a product was not put into the cart. */
const errorOn = (page) => (isShopPage(page) ? page.querySelector('#refusal') : page.body);

function show(page) {
  const focused = document.activeElement?.id;
  document.title = page.title;
  document.body.replaceChildren(...page.body.childNodes);
  showLater = undefined;
  isTyping = false;
  prepare();
  const heading = document.querySelector('h1');
  heading.tabIndex = -1;
  const next = document.querySelector('[aria-invalid]') || (focused && document.getElementById(focused)) || heading;
  next.focus({ preventScroll: next === heading });
}

function tell(...parts) {
  const status = document.getElementById('status');
  const paragraph = document.createElement('p');
  paragraph.append(...parts);
  status.replaceChildren(paragraph);
  setTimeout(() => paragraph.remove(), 10000);
}

function fail(text) {
  if (showLater) showLater();
  tell(text);
}

/** Opens a page when all forms are sent. A link is not followed if one of them failed. */
async function visit(url, position) {
  const turn = ++turns;
  const failuresBefore = failures;
  await queue;
  if (turn !== turns || (position === undefined && failures > failuresBefore)) return;
  const loaded = await load(url).catch(() => undefined);
  if (turn !== turns) return;
  if (!loaded) {
    fail(message('offline'));
    return;
  }
  if (!isShopPage(loaded.page)) {
    location.assign(url);
    return;
  }
  if (position === undefined) {
    history.replaceState({ y: scrollY }, '');
    history.pushState(null, '', loaded.response.url);
  } else if (loaded.response.redirected) history.replaceState(null, '', loaded.response.url);
  show(loaded.page);
  scrollTo(0, position || 0);
}

function send(form, body) {
  const turn = ++turns;
  queue = queue.then(async () => {
    const loaded = await load(form.getAttribute('action'), { method: 'POST', body }).catch(() => undefined);
    const error = loaded && errorOn(loaded.page);
    if (loaded && !error) {
      showSent(turn, body, loaded);
      return;
    }
    failures++;
    delete form.dataset.sent;
    const { quantity } = form.elements;
    if (quantity) quantity.value = quantity.defaultValue;
    fail(error ? error.textContent.trim() : message(form.className === 'checkout' ? 'notSent' : 'notSaved'));
  });
}

async function showSent(turn, body, { page, response }) {
  showLater = () => {
    showLater = undefined;
    if (response.ok && body.get('action') === 'add') {
      document.querySelector('header .cart').replaceWith(page.querySelector('header .cart'));
      const link = document.querySelector('header .cart').cloneNode();
      link.append(message('toCart'));
      tell(message('added'), ' ', link);
      return;
    }
    const isOrdered = response.url.includes(`${base}/orders/`);
    if (isOrdered) sessionStorage.removeItem(draftName);
    if (response.redirected && response.url !== location.href) history.pushState(null, '', response.url);
    show(page);
    if (isOrdered) scrollTo(0, 0);
  };
  // Replacing the page now would lose the click or the quantity that the customer is typing.
  while (turn === turns && (isPressed || isTyping)) await new Promise((done) => setTimeout(done, 50));
  if (turn === turns && showLater) showLater();
}

/** The address and the total follow the chosen delivery. */
function followDelivery(form) {
  const chosen = form.querySelector('[name=deliveryId]:checked');
  const address = form.querySelector('#address');
  if (address) address.parentElement.hidden = !!chosen && !('address' in chosen.dataset);
  const total = form.querySelector('#total');
  if (total && chosen) total.textContent = chosen.dataset.total;
}

const isDraft = ({ type, name }) => type !== 'hidden' && name !== 'website';

function prepare() {
  const form = document.querySelector('form.checkout');
  if (!form) return;
  const draft = JSON.parse(sessionStorage.getItem(draftName) || '{}');
  for (const field of form.elements) {
    if (!isDraft(field) || !(field.name in draft)) continue;
    if (field.type === 'radio') field.checked = field.value === draft[field.name];
    else if (!field.value) field.value = draft[field.name];
  }
  followDelivery(form);
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href]');
  const isPlain = !event.button && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || link.target || !isOurs(link)) return;
  event.preventDefault();
  // One of the pictures on this page.
  if (link.hash) document.querySelector(link.hash)?.scrollIntoView({ block: 'nearest', inline: 'start' });
  else visit(link.href);
});

document.addEventListener('submit', (event) => {
  const form = event.target;
  // A field that is named "action" hides the property of that name.
  const url = new URL(form.getAttribute('action'), location.href);
  if (!isOurs(url)) return;
  event.preventDefault();
  if (form.dataset.sent) return;
  // A second click on an order is a mistake; on a product, it adds another one.
  if (form.className === 'checkout') form.dataset.sent = 'true';
  const body = new URLSearchParams(new FormData(form));
  const { submitter } = event;
  if (submitter?.name) body.set(submitter.name, submitter.value);
  if (form.method === 'post') send(form, body);
  else visit(`${url.pathname}?${body}`);
});

document.addEventListener('input', ({ target }) => {
  isTyping = target.name === 'quantity';
  const form = target.closest('form.checkout');
  if (!form) return;
  const fields = [...form.elements].filter((field) => isDraft(field) && (field.type !== 'radio' || field.checked));
  sessionStorage.setItem(draftName, JSON.stringify(Object.fromEntries(fields.map(({ name, value }) => [name, value]))));
  followDelivery(form);
});

document.addEventListener('keydown', (event) => {
  const { id, form } = event.target;
  if (event.key !== 'Enter' || id !== 'promoCode') return;
  event.preventDefault();
  form.requestSubmit(form.querySelector('#apply'));
});

document.addEventListener('focusout', () => {
  isTyping = false;
});

document.addEventListener('change', ({ target }) => {
  isTyping = false;
  if (target.name === 'quantity') target.form.requestSubmit(target.form.querySelector('[value=set]'));
});

addEventListener('pointerdown', ({ button }) => {
  isPressed = !button;
});
for (const type of ['pointerup', 'pointercancel', 'contextmenu'])
  addEventListener(type, () => {
    // After the click.
    setTimeout(() => {
      isPressed = false;
    });
  });

addEventListener('popstate', ({ state }) => visit(location.href, state?.y || 0));

addEventListener('pagehide', () => history.replaceState({ y: scrollY }, ''));

history.scrollRestoration = 'manual';
document.documentElement.classList.add('script');
prepare();
if (history.state) scrollTo(0, history.state.y);
