import { afterAll, onTestFinished } from 'vitest';

/** Does so when whoever asked is over: the test, or outside of one the file. The last to ask is the first to be served. */
export function cleanUpAfter(action: () => unknown) {
  try {
    onTestFinished(async () => void (await action()));
  } catch {
    afterAll(async () => void (await action()));
  }
}
