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

/** The system's Chromium: CHROMIUM_PATH, else Debian's path, else from PATH. */
export function findChromium() {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((dir) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(dir, name)));
  const configured = process.env.CHROMIUM_PATH;
  return configured ? [configured].find(isExecutable) : ['/usr/bin/chromium', ...onPath].find(isExecutable);
}
