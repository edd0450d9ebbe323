import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The system's Chromium: CHROMIUM_PATH, else Debian's place, else wherever PATH leads. */
export function findChromium() {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((dir) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(dir, name)));
  const given = process.env.CHROMIUM_PATH;
  return given ? [given].find(isProgram) : ['/usr/bin/chromium', ...onPath].find(isProgram);
}
