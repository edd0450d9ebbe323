import { test as base, expect, type Locator, type Page } from '@playwright/test';
import axe from 'axe-core';
import { PASSWORD, type Service, startService } from './service.ts';

interface Fixtures {
  /** Fails on page errors and violations of the content security policy. */
  noPageErrors: undefined;
  /** A signed-in owner with a store on the Optimal plan. */
  shop: { email: string; storeId: string };
}

export const test = base.extend<Fixtures, { service: Service }>({
  service: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
    async ({}, use) => {
      const service = await startService();
      await use(service);
      await service.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ service }, use) => use(service.url),
  noPageErrors: [
    async ({ context }, use) => {
      const errors: string[] = [];
      context.on('weberror', (error) => errors.push(error.error().message));
      context.on('console', (message) => {
        if (/Content Security Policy|Uncaught/.test(message.text())) errors.push(message.text());
      });
      await use(undefined);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
  async shop({ service, page, baseURL }, use) {
    const { id, email } = await service.owner();
    const store = await service.store(id);
    // Without the form, which has its own tests.
    const body = { headers: { origin: baseURL as string }, data: { email, password: PASSWORD } };
    expect((await page.request.post('/console/api/session', body)).status()).toBe(204);
    await page.goto(`/console/stores/${store.id}/settings/api-keys`);
    await expect(page.getByRole('heading', { name: 'API keys', level: 1 })).toBeVisible();
    await use({ email, storeId: store.id });
  },
});

export { expect } from '@playwright/test';

export async function signIn(page: Page, email: string, password = PASSWORD) {
  await page.goto('/console/sign-in');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** For tests that wait until the network is idle: the stream of changes does not end. */
export const withoutChanges = (page: Page) => page.route('**/changes', (route) => route.fulfill({ status: 204 }));

/** Waits from before the action on, because notifications close after a few seconds. */
export const expectNotification = (page: Page, text: string, action: () => Promise<unknown>) =>
  Promise.all([page.getByText(text).waitFor(), action()]);

/** By its text, because there may also be notifications, inside the dialog that is open. */
/** Delays the requests of a method until the returned function is called. */
export async function holdRequests(page: Page, url: string | RegExp, method = 'GET'): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    if (route.request().method() === method) await released;
    await route.continue();
  });
  return release;
}

export const alertIn = (part: Page | Locator, text: string) => part.getByRole('alert').filter({ hasText: text });

/** No axe violations in light and dark mode, and no horizontal overflow on a phone. */
export async function expectAccessible(page: Page) {
  const size = page.viewportSize();
  await page.locator('h1').first().waitFor({ state: 'attached' });
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // The console follows in its own time, other pages at once.
    const isConsole = new URL(page.url()).pathname.startsWith('/console');
    if (isConsole) await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
    await page.evaluate(() =>
      Promise.all(
        document
          .getAnimations()
          .filter((animation) => animation instanceof CSSTransition)
          .map(({ finished }) => finished.catch(() => {})),
      ),
    );
    const violations = await page.evaluate(async (isFirst) => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
      interface Violation {
        id: string;
        nodes: { html: string; failureSummary: string }[];
      }
      // The other rules do not depend on the colors.
      const found = await axe.run(isFirst ? {} : { runOnly: ['color-contrast', 'link-in-text-block'] });
      return found.violations.map(({ id, nodes }) => ({
        id,
        nodes: nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`),
      }));
    }, colorScheme === 'light');
    expect(violations, colorScheme).toEqual([]);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(overflow).toBeLessThanOrEqual(0);
  if (size) await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: 'light' });
}
