import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER_SCRIPTS } from '../paths.ts';
import { shortHash } from '../text/short-hash.ts';

export const script = readFileSync(join(BROWSER_SCRIPTS, 'shop.js'), 'utf8');

/** The path contains a hash of the content, so browsers can cache it forever. */
export const SCRIPT_PATH = `/script.${shortHash(script)}.js`;
