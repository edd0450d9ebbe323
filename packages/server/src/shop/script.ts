import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BROWSER_SCRIPTS } from '../paths.ts';

export const script = readFileSync(join(BROWSER_SCRIPTS, 'shop.js'), 'utf8');

/** The path contains a hash of the content, so browsers can cache it forever. */
export const SCRIPT_PATH = `/script.${createHash('sha256').update(script).digest('hex').slice(0, 16)}.js`;
