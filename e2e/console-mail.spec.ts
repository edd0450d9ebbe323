import type { Page } from '@playwright/test';
import { expect, expectAccessible, signIn } from './fixtures.ts';
import { test } from './mail-fixtures.ts';
import { endSession } from './resilience.ts';
import { PASSWORD } from './service.ts';

/** A real click on the text: the input of a switch lies over its label, so Playwright takes it for an obstacle. */
async function clickText(page: Page, text: string) {
  const box = await page.getByText(text).boundingBox();
  if (!box) throw new Error(`"${text}" is not on the page`);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

test('a member switches on mails about new orders and gets one', async ({ page, service, mail, shop }) => {
  const name = 'Mail me about new orders of Tea and Coffee';
  await page.goto('/console/account');
  await page.getByText(name).waitFor();
  await clickText(page, name);
  await expect(page.getByRole('switch', { name })).toBeChecked();
  await expectAccessible(page);
  await page.reload();
  await expect(page.getByRole('switch', { name })).toBeChecked();
  await service.order(shop.storeId, 'Green tea', 2, 1000);
  await expect.poll(() => mail.to(shop.email).length, { timeout: 20_000 }).toBe(1);
  expect(mail.to(shop.email)[0]?.subject).toBe('Tea and Coffee: new order 1');
  await clickText(page, name);
  await expect(page.getByRole('switch', { name })).not.toBeChecked();
  await page.reload();
  await expect(page.getByRole('switch', { name })).not.toBeChecked();
});

test('who signs in after a session that could not be continued sees nothing of it', async ({ page, service, shop }) => {
  const second = await service.owner('Boris Petrov');
  await service.store(second.id, 'Books');
  await page.goto(`/console/stores/${shop.storeId}/orders`);
  await expect(page.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();
  await endSession(page);
  // The dialog that would continue it cannot be loaded.
  await page.route(/session-form/, (route) => route.abort());
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to your store' })).toBeVisible();
  await page.getByLabel('E-mail').fill(second.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('switch', { name: 'Mail me about new orders of Books' })).toBeVisible();
  await expect(page.getByText('Tea and Coffee')).toHaveCount(0);
});

test('an invited person gets a mail, and the inviter no link', async ({ page, service, mail }) => {
  const { email, id } = await service.owner();
  await service.store(id);
  await signIn(page, email);
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('button', { name: 'Invite someone' }).click();
  const guest = 'guest@example.com';
  await page.getByRole('dialog').getByLabel('E-mail').fill(guest);
  await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.getByText(`Invitation sent to ${guest}.`)).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect.poll(() => mail.to(guest).length).toBe(1);
  const [link = ''] = /https?:\S+/.exec(mail.to(guest)[0]?.text ?? '') ?? [];
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Join');
});
