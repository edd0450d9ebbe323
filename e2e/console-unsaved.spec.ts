import { expect, expectAccessible, signIn, test } from './fixtures.ts';
import { anna, create, dialogOf, fillOrder, notes, prepare, unsaved } from './resilience.ts';

test.describe('unsaved work', () => {
  test('leaving a dialog or a drawer asks', async ({ page, service, shop }) => {
    const { ids, path } = await prepare(page, service, shop.storeId, [anna]);
    await page.goto(`${path}/orders/${ids[0]}`);
    const leave = {
      escape: () => page.keyboard.press('Escape'),
      x: () => page.getByRole('dialog').getByRole('button', { name: 'Close' }).click(),
      outside: () => page.mouse.click(5, 5),
      back: () => page.goBack(),
    };
    await page.getByRole('button', { name: 'Edit notes' }).click();
    // The dialog is loaded when it is first opened.
    await expect(notes(page)).toBeVisible();
    await leave.escape();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    await page.getByRole('button', { name: 'Edit notes' }).click();
    await notes(page).fill('Call first');
    for (const way of ['escape', 'x', 'outside'] as const) {
      await leave[way]();
      await expect(unsaved(page), way).toBeVisible();
      if (way === 'escape') await expectAccessible(page);
      // Escape closes the question only; the dialog below stays.
      await page.keyboard.press('Escape');
      await expect(unsaved(page)).toHaveCount(0);
      await expect(notes(page)).toHaveValue('Call first');
    }
    await leave.escape();
    await unsaved(page).getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);

    await page.goto(`${path}/catalog/products`);
    await page.getByRole('button', { name: 'Green tea' }).click();
    const drawer = dialogOf(page, 'Edit product');
    await drawer.getByLabel('Name').fill('Black tea');
    for (const way of ['escape', 'back'] as const) {
      await leave[way]();
      await unsaved(page).getByRole('button', { name: 'Keep editing' }).click();
      await expect(drawer.getByLabel('Name')).toHaveValue('Black tea');
    }
    await drawer.getByRole('button', { name: 'Cancel' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });

  test('a new order asks before it is left, and is kept over a reload', async ({ page, service, shop }) => {
    const { path, count } = await prepare(page, service, shop.storeId);
    await fillOrder(page, path);
    await page.getByRole('link', { name: 'Customers' }).click();
    await expect(unsaved(page)).toBeVisible();
    await unsaved(page).getByRole('button', { name: 'Keep editing' }).click();
    await expect(page.getByLabel('Name')).toHaveValue('Anna');

    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    expect(questions).toEqual(['beforeunload']);
    const draft = page.getByText('Draft restored');
    await expect(draft).toBeVisible();
    await expect(page.getByLabel('Name')).toHaveValue('Anna');
    await expect(page.getByRole('group', { name: 'Green tea' })).toBeVisible();
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Discard draft' }).click();
    await expect(draft).toHaveCount(0);
    await expect(page.getByLabel('Name')).toHaveValue('');
    await page.reload();
    await expect(create(page)).toBeVisible();
    await expect(draft).toHaveCount(0);

    await fillOrder(page, path);
    await create(page).click();
    await expect(page.getByRole('heading', { name: 'Order #1', level: 1 })).toBeVisible();
    await page.goto(`${path}/orders/new`);
    await expect(create(page)).toBeVisible();
    await expect(draft).toHaveCount(0);
    expect(await count()).toBe(1);
  });

  test('signing out asks, and removes the draft', async ({ page, service, shop }) => {
    const { path } = await prepare(page, service, shop.storeId);
    await fillOrder(page, path);
    const signOut = async () => {
      await page.getByRole('button', { name: /^Your account/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await signOut();
    await unsaved(page).getByRole('button', { name: 'Keep editing' }).click();
    await expect(page.getByLabel('Name')).toHaveValue('Anna');
    await signOut();
    await unsaved(page).getByRole('button', { name: 'Discard' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in to your store' })).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('Anna');
    await signIn(page, shop.email);
    await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
    await page.goto(`${path}/orders/new`);
    await expect(page.getByLabel('Name')).toHaveValue('');
  });
});
