import { defineConfig } from '@playwright/test';
import { findChromium } from '../scripts/chromium.mjs';

const executablePath = findChromium();
if (!executablePath) throw new Error('No Chromium found: install it, or say where it is with CHROMIUM_PATH.');

export default defineConfig({
  testDir: '.',
  testMatch: '*.spec.ts',
  outputDir: '../test-results',
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'Europe/Moscow',
    viewport: { width: 1280, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath,
      // The sandbox of Chromium does not run as root, as in a container.
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    },
  },
});
