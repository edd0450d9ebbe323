import { afterAll, onTestFinished } from 'vitest';

/** Runs the action after the current test, or after the file outside of a test. The last one added runs first. */
export function cleanUpAfter(action: () => unknown) {
  try {
    onTestFinished(async () => void (await action()));
  } catch {
    afterAll(async () => void (await action()));
  }
}
