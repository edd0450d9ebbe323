import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The headless shell is the same browser without windows; the tests take half the time in it. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The system's Chromium: CHROMIUM_PATH, else from /usr/bin or PATH. */
export function findChromium() {
  const configured = process.env.CHROMIUM_PATH;
  const dirs = ['/usr/bin', ...(process.env.PATH ?? '').split(delimiter)];
  const paths = configured ? [configured] : NAMES.flatMap((name) => dirs.map((dir) => join(dir, name)));
  return paths.find(isExecutable);
}
