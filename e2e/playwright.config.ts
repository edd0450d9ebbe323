import { defineConfig } from '@playwright/test';
import { findChromium } from '../scripts/chromium.mjs';

const executablePath = findChromium();
if (!executablePath) throw new Error('No Chromium found: install it or set CHROMIUM_PATH.');

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  // Each worker has its own service.
  workers: 2,
  // For a busy machine; a passing test takes seconds.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'Europe/Moscow',
    viewport: { width: 1280, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath,
      // Chromium's sandbox does not work as root, for example in a container.
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
});
