import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER_SCRIPTS } from '../paths.ts';
import { shortHash } from '../text/short-hash.ts';
import { style } from './style.ts';

export const ASSETS_PATH = '/docs/assets';

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#4f46e5"/><path d="M6 9.5h12l-1 8.5H7zM9 9.5V8a3 3 0 0 1 6 0v1.5" fill="none" stroke="#fff" stroke-width="1.8" stroke-linejoin="round"/></svg>`;

/** The path contains a hash of the content, so browsers can cache it forever. */
function asset(name: string, extension: string, type: string, text: string) {
  const path = `${ASSETS_PATH}/${name}.${shortHash(text)}.${extension}`;
  return { path, type, text };
}

const script = (name: string) =>
  asset(name, 'js', 'text/javascript; charset=utf-8', readFileSync(join(BROWSER_SCRIPTS, `${name}.js`), 'utf8'));

export const assets = {
  style: asset('style', 'css', 'text/css; charset=utf-8', style),
  page: script('page'),
  search: script('search'),
  tryIt: script('try-it'),
  icon: asset('icon', 'svg', 'image/svg+xml', icon),
};
