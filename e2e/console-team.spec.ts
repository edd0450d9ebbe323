import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNotification, signIn, test } from './fixtures.ts';
import { PASSWORD } from './service.ts';

/** Invites someone in the dialog and returns the link that is shown. */
async function invite(page: Page, email: string, role: string) {
  await page.getByRole('button', { name: 'Invite someone' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByRole('radio', { name: role }).check();
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = await dialog.getByTestId('link').innerText();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return link.trim();
}

test('someone is invited, joins with a new account, gets another role and is removed', async ({
  page,
  browser,
  shop: { storeId },
}) => {
  await page.getByRole('link', { name: 'Team' }).click();
  await expect(page.getByRole('heading', { name: 'Team', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: 'Invite someone' }).click();
  await page.getByRole('dialog').getByLabel('E-mail').fill('boris@');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click();
  await expect(page.getByLabel('E-mail')).toHaveAttribute('aria-invalid', 'true');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  const email = `boris-${storeId.slice(-6)}@example.com`;
  const link = await invite(page, email, 'Manager');
  await expect(page.getByRole('article', { name: email })).toContainText('Manager');
  await expectAccessible(page);

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const guest = await context.newPage();
  await guest.goto(link);
  await expect(guest.getByRole('heading', { level: 1 })).toContainText('Join');
  await expect(guest.getByText(email)).toBeVisible();
  await guest.getByLabel('Your name').fill('Boris');
  await guest.getByLabel('Choose a password').fill('short');
  await guest.getByRole('button', { name: 'Join' }).click();
  await expect(guest.getByText('Use at least 8 characters.')).toBeVisible();
  await guest.getByLabel('Choose a password').fill(PASSWORD);
  await guest.getByRole('button', { name: 'Join' }).click();
  await expect(guest.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
  // The link works once.
  const again = await (await browser.newContext()).newPage();
  await again.goto(link);
  await expect(again.getByRole('heading', { name: 'This invitation does not work' })).toBeVisible();
  await again.context().close();

  await page.reload();
  const member = page.getByRole('article', { name: 'Boris' });
  await expect(member).toContainText(email);
  await page.getByRole('button', { name: 'Actions for Boris' }).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Viewer' }).check();
  await expectNotification(page, 'The role was changed.', () =>
    dialog.getByRole('button', { name: 'Save changes' }).click(),
  );
  await expect(member).toContainText('Viewer');

  await page.getByRole('button', { name: 'Actions for Boris' }).click();
  await page.getByRole('menuitem', { name: 'Remove from the team' }).click();
  await expectNotification(page, 'Removed from the team.', () =>
    page.getByRole('dialog').getByRole('button', { name: 'Remove from the team' }).click(),
  );
  await expect(member).toBeHidden();
  await guest.goto(`/console/stores/${storeId}/orders`);
  await expect(guest.getByLabel('Password', { exact: true })).toBeVisible();
  await context.close();
});

test('someone with an account signs in and accepts; someone else is told whose invitation it is', async ({
  page,
  browser,
  service,
  shop: { storeId },
}) => {
  const [invited, other] = [await service.owner(), await service.owner()];
  await service.store(invited.id);
  await service.store(other.id);
  await page.goto(`/console/stores/${storeId}/settings/team`);
  const link = await invite(page, invited.email, 'Viewer');
  const context = await browser.newContext();
  const guest = await context.newPage();
  await signIn(guest, other.email);
  await expect(guest.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
  await guest.goto(link);
  await expect(guest.getByText(`You are signed in as ${other.email}`)).toBeVisible();
  await guest.getByRole('button', { name: 'Sign out' }).click();
  await expect(guest.getByLabel('Password', { exact: true })).toBeVisible();
  await guest.goto(link);
  await guest.getByRole('link', { name: 'Sign in' }).click();
  expect(guest.url()).not.toContain(link.split('#')[1]);
  await guest.getByLabel('E-mail').fill(invited.email);
  await guest.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await guest.getByRole('button', { name: 'Sign in' }).click();
  await guest.getByRole('button', { name: 'Accept' }).click();
  await expect(guest).toHaveURL(new RegExp(`/stores/${storeId}$`));

  await guest.goto('/console/account');
  const membership = guest.getByRole('article').filter({ hasText: 'Viewer' });
  await membership.getByRole('button', { name: 'Leave this store' }).click();
  await guest.getByRole('dialog').getByRole('button', { name: 'Leave this store' }).click();
  await expect(membership).toBeHidden();
  await context.close();
});

test('an invitation is renewed and withdrawn, and the last owner cannot leave', async ({ page, shop: _ }) => {
  await page.getByRole('link', { name: 'Team' }).click();
  const first = await invite(page, 'vera@example.com', 'Integrator');
  const row = page.getByRole('article', { name: 'vera@example.com' });
  await row.getByRole('button', { name: 'New link' }).click();
  const second = await page.getByRole('dialog').getByTestId('link').innerText();
  expect(second.trim()).not.toBe(first);
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click();
  await row.getByRole('button', { name: 'Withdraw' }).click();
  await expectNotification(page, 'The invitation was withdrawn.', () =>
    page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click(),
  );
  await expect(row).toBeHidden();

  await page.goto('/console/account');
  await expectAccessible(page);
  await page.getByRole('article').getByRole('button', { name: 'Leave this store' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave this store' }).click();
  await expect(page.getByRole('dialog')).toContainText('A store needs an owner');
});

test('whoever removes a member sees the keys that they made, and revokes them', async ({
  page,
  browser,
  shop: { storeId },
}) => {
  await page.goto(`/console/stores/${storeId}/settings/team`);
  const link = await invite(page, `ivan-${storeId.slice(-6)}@example.com`, 'Integrator');
  const context = await browser.newContext();
  const guest = await context.newPage();
  await guest.goto(link);
  await guest.getByLabel('Your name').fill('Ivan');
  await guest.getByLabel('Choose a password').fill(PASSWORD);
  await guest.getByRole('button', { name: 'Join' }).click();
  await expect(guest.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();
  await guest.goto(`/console/stores/${storeId}/settings/api-keys`);
  await guest.getByRole('button', { name: 'Create key' }).first().click();
  const form = guest.getByRole('dialog');
  await form.getByLabel('Name').fill('Ivan’s script');
  await form.getByLabel('Read orders').check();
  await form.getByRole('button', { name: 'Create key' }).click();
  await expect(form.getByText('Save your key')).toBeVisible();
  await context.close();

  await page.goto(`/console/stores/${storeId}/settings/api-keys`);
  await expect(page.getByRole('row', { name: 'Ivan’s script' })).toContainText('by Ivan');
  await page.goto(`/console/stores/${storeId}/settings/team`);
  await page.getByRole('button', { name: 'Actions for Ivan' }).click();
  await page.getByRole('menuitem', { name: 'Remove from the team' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('API keys that Ivan created keep working')).toBeVisible();
  await expectAccessible(page);
  await expectNotification(page, 'The key “Ivan’s script” was revoked.', () =>
    dialog.getByRole('button', { name: 'Revoke Ivan’s script' }).click(),
  );
  await expect(dialog.getByText('Ivan’s script')).toBeHidden();
  await expectNotification(page, 'Removed from the team.', () =>
    dialog.getByRole('button', { name: 'Remove from the team' }).click(),
  );
  await expect(page.getByRole('article', { name: 'Ivan', exact: true })).toBeHidden();
});
