import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// All paths relative to the code are resolved here: only this file has the same depth in the sources and in the bundle
// (build/bundle.mjs).

export const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** The build output of packages/console. */
export const CONSOLE_PAGES = fileURLToPath(new URL('../../console/dist', import.meta.url));

/** Scripts of the API reference, which run in browsers. */
export const BROWSER_SCRIPTS = fileURLToPath(new URL('../browser', import.meta.url));

/** The program that decodes a picture: in the bundle, in the build for tests, and in the sources. */
export const PICTURE_DECODER = ['./decode-picture.js', './files/decode-picture.js', './files/decode-picture.ts']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => existsSync(path)) as string;
