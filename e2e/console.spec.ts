import { expect, expectAccessible, expectNotification, signIn, test, withoutChanges } from './fixtures.ts';
import { PASSWORD } from './service.ts';

const DAY = 86_400_000;

test.describe('signing in', () => {
  test('a wrong password is rejected; the right one opens the requested page', async ({ page, service }) => {
    const { id, email } = await service.owner();
    await service.store(id);
    await page.goto('/console/account');
    await expect(page.getByRole('heading', { name: 'Sign in to your store' })).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('wrong horse');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('alert')).toHaveText('Incorrect e-mail or password.');
    await expectAccessible(page);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
    await expect(page).toHaveURL(/\/console\/account$/);
  });

  test('signing in and out works with the keyboard alone', async ({ page, service }) => {
    const { id, email } = await service.owner();
    await service.store(id);
    await page.goto('/console/sign-in');
    await expect(page.getByLabel('E-mail')).toBeFocused();
    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();

    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
    const menu = page.getByRole('button', { name: /^Your account/ });
    for (let count = 0; count < 30 && !(await menu.evaluate((node) => node === document.activeElement)); count++)
      await page.keyboard.press('Tab');
    await expect(menu).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Account' })).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Sign in to your store' })).toBeVisible();
  });

  test('after too many attempts the page says how long to wait', async ({ page }) => {
    await page.goto('/console/sign-in');
    const data = { email: 'guessed@example.test', password: 'wrong horse' };
    const headers = { origin: new URL(page.url()).origin };
    for (let count = 0; count < 5; count++) await page.request.post('/console/api/session', { headers, data });
    await page.getByLabel('E-mail').fill(data.email);
    await page.getByLabel('Password', { exact: true }).fill(data.password);
    // On a slow machine the first wait of 5 s may be over by now; each further failure doubles it.
    await expect(async () => {
      const [response] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'POST'),
        page.getByRole('button', { name: 'Sign in' }).click(),
      ]);
      expect(response.status()).toBe(429);
      const seconds = response.headers()['retry-after'];
      await expect(page.getByRole('alert')).toHaveText(`Too many attempts. Try again in ${seconds} s.`);
    }).toPass();
  });

  test('a form on another site cannot use the cookie', async ({ page, service, shop: _shop }) => {
    const other = await page.context().newPage();
    await other.goto('about:blank');
    await other.setContent(
      `<form method="post" enctype="text/plain" action="${service.url}/console/api/stores"><button>Go</button></form>`,
    );
    const [response] = await Promise.all([other.waitForResponse(/api\/stores/), other.getByRole('button').click()]);
    expect(response.status()).toBe(403);
    await page.reload();
    await page.getByRole('button', { name: /^Switch store/ }).click();
    await expect(page.getByRole('menuitem')).toHaveText([/Tea and Coffee/, 'Create store']);
  });
});

test.describe('API keys', () => {
  test('a key is created, its secret is shown once, and it is revoked', async ({ page, service, shop }) => {
    await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await expect(dialog.getByText('Select at least one permission.')).toBeVisible();
    await expectAccessible(page);
    await dialog.getByLabel('Name').fill('Website');
    await dialog.getByLabel('Read orders').check();
    await dialog.getByLabel('Create and edit orders').check();
    await dialog.getByRole('combobox', { name: 'Expires after' }).click();
    await page.getByRole('option', { name: '90 days' }).click();
    await dialog.getByRole('button', { name: 'Create key' }).click();

    const secret = (await page.getByTestId('secret').textContent()) as string;
    expect(secret).toMatch(/^ssk_\w{46}$/);
    await expect(page.getByTestId('curl')).toHaveText(
      new RegExp(`^curl ${service.url}/api/v1/credentials.*${secret}"$`, 's'),
    );
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(page.getByTestId('secret')).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();

    const row = page.getByRole('row', { name: /Website/ });
    await expect(row).toContainText(`${secret.slice(0, 10)}…`);
    await expect(row).toContainText('Orders: read and write');
    await expect(row).toContainText('Never');
    await expect(row).toContainText('Active');
    await expectAccessible(page);
    await page.reload();
    await expect(row).toBeVisible();
    expect(await page.content()).not.toContain(secret);

    const credentials = () =>
      fetch(`${service.url}/api/v1/credentials`, { headers: { authorization: `Bearer ${secret}` } });
    expect(((await (await credentials()).json()) as { data: { store: { id: string } } }).data.store.id).toBe(
      shop.storeId,
    );
    await page.getByRole('button', { name: 'Revoke Website' }).click();
    await expect(dialog).toContainText('“Website” lose access immediately');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await expect(row).toContainText('Revoked');
    await expect(page.getByRole('button', { name: 'Revoke Website' })).toHaveCount(0);
    expect((await credentials()).status).toBe(401);
  });

  test('the copy button copies the secret', async ({ page, context, shop: _shop }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByLabel('Name').fill('Warehouse');
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
    // The button says "Copied" for 2 s only.
    await Promise.all([
      page.getByRole('button', { name: 'Copied' }).waitFor(),
      page.getByRole('button', { name: 'Copy' }).first().click(),
    ]);
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      await page.getByTestId('secret').textContent(),
    );
  });

  test('expired keys are hidden, and keys that expire soon are marked', async ({ page, service, shop }) => {
    await service.key(shop.storeId, 'Soon', 5 * DAY);
    await service.key(shop.storeId, 'Gone', 1);
    await page.reload();
    await expect(page.getByRole('row', { name: /Soon/ })).toContainText('Expires soon');
    await expect(page.getByRole('row', { name: /Gone/ })).toHaveCount(0);
    await page.getByRole('button', { name: 'Show revoked and expired (1)' }).click();
    await expect(page.getByRole('row', { name: /Gone/ })).toContainText('Expired');
    await expectAccessible(page);
  });

  test('a failed load shows an error and can be retried', async ({ page, shop: _shop }) => {
    let respond = () => {};
    const isLoadingSeen = new Promise<void>((resolve) => {
      respond = resolve;
    });
    await page.route('**/keys', async (route) => {
      await isLoadingSeen;
      await route.fulfill({ status: 503, body: '{"code":"unavailable"}' });
    });
    await page.reload();
    await expect(page.getByRole('status', { name: 'Loading' })).toBeVisible();
    respond();
    await expect(page.getByText('The server is busy.')).toBeVisible();
    await expectAccessible(page);
    await page.unroute('**/keys');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'No API keys yet' })).toBeVisible();
  });
});

test.describe('stores', () => {
  test('can be switched, created and renamed; other owners’ stores are not found', async ({ page, service, shop }) => {
    const otherOwner = await service.owner();
    const foreign = await service.store(otherOwner.id, 'Foreign goods');
    await page.getByRole('button', { name: /^Switch store/ }).click();
    await expect(page.getByRole('menuitem', { name: 'Create store' })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('menuitem', { name: 'Create store' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Second');
    await page.getByRole('dialog').getByRole('button', { name: 'Create store' }).click();
    await expect(page.getByRole('button', { name: 'Switch store: Second' })).toBeVisible();

    await page.getByRole('link', { name: 'Store', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Store settings' })).toBeVisible();
    await expectAccessible(page);
    await expect(page.getByRole('button', { name: 'Save changes' })).toBeDisabled();
    await page.getByLabel('Name').fill('Renamed');
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Tokyo');
    await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('button', { name: 'Switch store: Renamed' })).toBeVisible();
    await page.reload();
    await expect(page.getByLabel('Name')).toHaveValue('Renamed');
    await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Asia/Tokyo');

    await page.getByRole('button', { name: /^Switch store/ }).click();
    await page.getByRole('menuitem', { name: /Tea and Coffee/ }).click();
    await expect(page).toHaveURL(`/console/stores/${shop.storeId}/settings/store`);

    await page.goto(`/console/stores/${foreign.id}/settings/api-keys`);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await expect(page.getByText('Foreign goods')).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Back to your stores' }).click();
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
  });
});

test.describe('account', () => {
  test('name, password and active sessions', async ({ page, browser, service, shop }) => {
    const elsewhere = await (await browser.newContext({ baseURL: service.url })).newPage();
    // So that it notices the end of its session at the click below, not before.
    await withoutChanges(elsewhere);
    await signIn(elsewhere, shop.email);
    await expect(elsewhere.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();

    await page.getByRole('link', { name: 'Account' }).click();
    await expect(page.getByText('This browser')).toBeVisible();
    await expectAccessible(page);
    await page.getByLabel('Name').fill('Maria');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await expect(page.getByRole('button', { name: 'Your account: Maria' })).toBeVisible();

    await page.getByLabel('Current password').fill('wrong horse');
    await page.getByLabel('New password', { exact: true }).fill('battery staple');
    await page.getByLabel('Repeat new password').fill('battery');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByText('Passwords do not match.')).toBeVisible();
    await page.getByLabel('Repeat new password').fill('battery staple');
    await page.getByRole('button', { name: 'Change password' }).click();
    await expect(page.getByRole('alert').first()).toHaveText('Incorrect current password.');
    await page.getByLabel('Current password').fill(PASSWORD);
    await expectNotification(page, 'Password changed', () =>
      page.getByRole('button', { name: 'Change password' }).click(),
    );
    await expect(page.getByRole('button', { name: /^Sign out of Chrome/ })).toHaveCount(0);

    // The other browser is signed out on its next request and can sign in with the new password.
    await elsewhere.getByRole('link', { name: 'Account' }).click();
    const ended = elsewhere.getByRole('dialog', { name: 'Your session has ended' });
    await ended.getByLabel('Password', { exact: true }).fill('battery staple');
    await ended.getByRole('button', { name: 'Sign in' }).click();
    await expect(ended).toBeHidden();
    await expect(elsewhere.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();

    await page.reload();
    await expectNotification(page, 'Signed out of that browser', () =>
      page.getByRole('button', { name: /^Sign out of Chrome/ }).click(),
    );
    await elsewhere.reload();
    await expect(elsewhere.getByRole('heading', { name: 'Sign in to your store' })).toBeVisible();

    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in to your store' })).toBeVisible();
    await page.goto('/console/account');
    await expect(page.getByRole('heading', { name: 'Sign in to your store' })).toBeVisible();
    await elsewhere.context().close();
  });

  test('the language is saved for this and other browsers', async ({ page, browser, service, shop }) => {
    await page.getByRole('button', { name: /^Your account/ }).click();
    const saved = page.waitForResponse(/api\/profile/);
    await page.getByRole('menuitem', { name: 'Русский' }).click();
    await saved;
    await page.keyboard.press('Escape');
    await expect(page.getByRole('heading', { name: 'Ключи API', level: 1 })).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'ru');
    await expectAccessible(page);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Ключи API', level: 1 })).toBeVisible();

    const elsewhere = await (await browser.newContext({ baseURL: service.url, locale: 'en-US' })).newPage();
    await signIn(elsewhere, shop.email);
    await expect(elsewhere.getByRole('heading', { name: 'Главная', level: 1 })).toBeVisible();
    await elsewhere.context().close();
  });

  test('the theme follows the system until the owner selects one', async ({ page, shop: _shop }) => {
    const html = page.locator('html');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect(html).toHaveAttribute('data-mantine-color-scheme', 'light');
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByText('Dark', { exact: true }).click();
    await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
    // Also before any script has loaded.
    await page.route('**/assets/**', (route) => route.abort());
    await page.reload({ waitUntil: 'commit' });
    await expect(html).toHaveAttribute('data-mantine-color-scheme', 'dark');
  });
});

test('on a phone the navigation opens with a button', async ({ page, service, shop }) => {
  await service.key(shop.storeId, 'Website');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const card = page.getByRole('article', { name: 'Website' });
  await expect(card).toContainText('Orders: read and write');
  const link = page.getByRole('link', { name: 'Account' });
  await expect(link).not.toBeInViewport();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(link).toBeInViewport();
  await expectAccessible(page);
  await link.click();
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
  await expect(link).not.toBeInViewport();
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'API keys' }).click();
  await card.getByRole('button', { name: 'Revoke Website' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(card).toContainText('Revoked');
});

test('the first load takes at most 250 KB of compressed script', async ({ page, service }) => {
  const { id, email } = await service.owner();
  await service.store(id);
  await signIn(page, email);
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
  const sizes = await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => /\.js$/.test(name))
      .map(({ encodedBodySize, decodedBodySize }) => ({ encodedBodySize, decodedBodySize })),
  );
  const total = sizes.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
  const plain = sizes.reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0);
  expect(plain).toBeGreaterThan(total * 2);
  expect(total).toBeGreaterThan(50_000);
  expect(total).toBeLessThan(250_000);
});
