// Sends the requests of the reference with the reader's key: to this origin only, and without cookies.
const SHOWN_HEADERS = [
  'Location',
  'ETag',
  'Idempotent-Replayed',
  'Retry-After',
  'RateLimit-Remaining',
  'RateLimit-Limit',
];

/** In memory only: storage could be read by the other pages of this origin, and outlives the visit. */
let key = '';

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

/** Throws unless it is an address of the API on this origin. */
function addressOf(form) {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  for (const { name, value, dataset } of form.elements) {
    if (dataset.in === 'path') path = path.replace(`{${name}}`, () => encodeURIComponent(value.trim()));
    if (dataset.in === 'query' && value.trim()) query.append(name, value.trim());
  }
  const url = new URL(path, location.origin);
  // An id of dots would be resolved as a step of the path.
  if (url.origin !== location.origin || url.pathname !== path) throw new Error('This id cannot be part of a path.');
  url.search = query;
  return url;
}

function headersOf(form) {
  const headers = new Headers({ Authorization: `Bearer ${key}` });
  for (const { name, value, dataset } of form.elements)
    if (dataset.in === 'header' && value.trim()) headers.set(name, value.trim());
  if (form.elements.body) headers.set('Content-Type', 'application/json');
  return headers;
}

function formatted(text) {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/** The entry of an error in the reference. */
function errorLink(text) {
  try {
    const { code } = JSON.parse(text);
    if (!/^[a-z_]+$/.test(code)) return [];
    const link = element('a', '', code);
    link.href = `/docs/errors#${code}`;
    return [element('p', '', 'Error reference: ', link)];
  } catch {
    return [];
  }
}

async function send(form) {
  const url = addressOf(form);
  const started = performance.now();
  const response = await fetch(url, {
    method: form.dataset.method,
    headers: headersOf(form),
    body: form.elements.body?.value,
    credentials: 'omit',
    // A redirect could lead to another origin.
    redirect: 'error',
    cache: 'no-store',
  });
  const text = await response.text();
  const took = Math.round(performance.now() - started);
  const names = SHOWN_HEADERS.filter((name) => response.headers.has(name));
  const headers = names.flatMap((name) => [element('dt', '', name), element('dd', '', response.headers.get(name))]);
  const body = element('pre', '', element('code', '', formatted(text)));
  body.tabIndex = 0;
  return [
    element('p', response.ok ? 'ok' : 'failed', `${response.status} ${response.statusText}, ${took} ms`),
    element('p', '', `${form.dataset.method} ${url.pathname}${url.search}`),
    element(
      'dl',
      '',
      element('dt', '', 'X-Request-Id'),
      element('dd', '', response.headers.get('X-Request-Id')),
      ...headers,
    ),
    ...(response.ok ? [] : errorLink(text)),
    element('figure', 'code', element('figcaption', '', 'Response'), body),
  ];
}

async function submit(event) {
  event.preventDefault();
  const form = event.target;
  const button = form.querySelector('[type=submit]');
  const result = form.querySelector('.result');
  button.disabled = true;
  result.replaceChildren('Sending…');
  try {
    result.replaceChildren(...(await send(form)));
  } catch (error) {
    result.replaceChildren(
      element('p', 'failed', `The request was not sent, or its response was lost: ${error.message}`),
    );
  }
  button.disabled = false;
}

/** A version 4 UUID; crypto.randomUUID exists on secure pages only. */
const randomKey = () =>
  '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, (digit) =>
    (digit ^ (crypto.getRandomValues(new Uint8Array(1))[0] & (15 >> (digit / 4)))).toString(16),
  );

function open(button) {
  const form = button.parentElement.nextElementSibling.content.cloneNode(true).firstElementChild;
  const input = form.elements.key;
  input.value = key;
  input.addEventListener('input', () => {
    key = input.value.trim();
    for (const other of document.querySelectorAll('form.request')) if (other !== form) other.elements.key.value = key;
  });
  const idempotencyKey = form.elements['Idempotency-Key'];
  if (idempotencyKey) {
    const random = element('button', 'random', 'Random');
    random.type = 'button';
    random.setAttribute('aria-label', 'Random Idempotency-Key');
    random.addEventListener('click', () => {
      idempotencyKey.value = randomKey();
    });
    idempotencyKey.closest('label').after(random);
  }
  form.addEventListener('submit', submit);
  form.querySelector('.close').addEventListener('click', () => {
    form.remove();
    button.hidden = false;
    button.focus();
  });
  button.hidden = true;
  button.parentElement.after(form);
  (key ? (form.querySelector('[required]:not([name=key])') ?? form.querySelector('[type=submit]')) : input).focus();
}

for (const button of document.querySelectorAll('button.try')) {
  button.hidden = false;
  button.addEventListener('click', () => open(button));
}
