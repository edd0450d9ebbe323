import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// What lies beside this code is found from here alone: the sources and the bundle (build/bundle.mjs) have this file, and
// only this one, at the same depth.

/** The version of the package, from the one place that holds it. */
export const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** Where the build of packages/console lies. */
export const CONSOLE_PAGES = fileURLToPath(new URL('../../console/dist', import.meta.url));
