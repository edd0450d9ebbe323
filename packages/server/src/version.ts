import { readFileSync } from 'node:fs';

/** The version of the package, from the one place that holds it. */
export const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
