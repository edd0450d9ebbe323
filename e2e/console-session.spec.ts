import { expect, expectAccessible, test } from './fixtures.ts';
import { anna, endSession, fillOrder, notes, prepare, save, sessionEnded, signInAgain } from './resilience.ts';
import { PASSWORD } from './service.ts';

test.describe('a session that ends', () => {
  test('is continued in a dialog, and what was typed is saved once', async ({ page, service, shop }) => {
    const { ids, read, path } = await prepare(page, service, shop.storeId, [anna]);
    await page.goto(`${path}/orders/${ids[0]}`);
    await page.getByRole('button', { name: 'Edit notes' }).click();
    await notes(page).fill('Call first');
    await endSession(page);
    const sent: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'PATCH') sent.push(response.status());
    });
    await save(page).click();
    await expect(sessionEnded(page).getByLabel('E-mail')).toHaveValue(shop.email);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(sessionEnded(page)).toBeVisible();
    await expect(notes(page)).toHaveValue('Call first');
    await signInAgain(page);
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await expect(page.getByRole('region', { name: 'Notes' })).toContainText('Call first');
    expect((await read(0)).notes).toBe('Call first');
    expect(sent).toEqual([401, 200]);
  });

  test('several calls at once wait for one dialog', async ({ page, service, shop }) => {
    const { path } = await prepare(page, service, shop.storeId, [anna]);
    await page.goto(`${path}/orders`);
    await expect(page.getByRole('table')).toContainText('#1');
    await endSession(page);
    await page.getByText('Board').click();
    await expect(sessionEnded(page)).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(1);
    await signInAgain(page);
    await expect(page.getByRole('region', { name: 'New', exact: true }).getByRole('listitem')).toHaveText([/#1/]);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('shows the sign-in page if it ends while the first page is loaded', async ({ page, service, shop }) => {
    const { path } = await prepare(page, service, shop.storeId, [anna]);
    await page.route('**/console/api/stores', async (route) => {
      await page.context().clearCookies({ name: 'session' });
      await route.continue();
    });
    await page.goto(`${path}/orders?q=anna`);
    await expect(page.getByRole('heading', { name: 'Sign in to your store' })).toBeVisible();
    await page.unroute('**/console/api/stores');
    await page.getByLabel('E-mail').fill(shop.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('table')).toContainText('#1');
    expect(new URL(page.url()).search).toBe('?q=anna');
  });

  test("another owner's sign-in sends nothing and loads the console again", async ({ page, service, shop }) => {
    const { ids, path } = await prepare(page, service, shop.storeId, [anna]);
    const second = await service.owner('Boris Petrov');
    await service.store(second.id, 'Books');
    await page.goto(`${path}/orders/new`);
    await page.getByLabel('Name').fill('Secret customer');
    await page.goto(`${path}/orders/${ids[0]}`);
    await page.getByRole('button', { name: 'Edit notes' }).click();
    await notes(page).fill('Call first');
    await endSession(page);
    const sent: number[] = [];
    page.on('response', (response) => {
      if (response.request().method() === 'PATCH') sent.push(response.status());
    });
    await save(page).click();
    await signInAgain(page, second.email);
    await expect(page.getByRole('button', { name: /Books/ })).toBeVisible();
    expect(sent).toEqual([401]);
    expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => /draft/.test(key)))).toEqual([]);
  });

  test('signing out in one tab also leaves the others', async ({ page, service, shop }) => {
    const { path } = await prepare(page, service, shop.storeId, [anna]);
    const other = await page.context().newPage();
    await fillOrder(other, path);
    await page.getByRole('button', { name: /^Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(other.getByRole('heading', { name: 'Sign in to your store' })).toBeVisible();
    expect(await other.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Anna');
  });
});
