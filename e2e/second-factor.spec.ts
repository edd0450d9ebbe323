import type { Page } from '@playwright/test';
import { codeAt, stepAt } from '@store-sales/server/accounts/second-factor/totp';
import { system } from '@store-sales/server/actor';
import { sql } from '@store-sales/server/db/sql';
import { addMember, changeTeam } from '@store-sales/server/members/members';
import { expect, expectAccessible, expectNotification, signIn, test, withoutChanges } from './fixtures.ts';
import { PASSWORD } from './service.ts';

// Browsers have no passkeys for IP addresses.
test.use({ baseURL: ({ service }, use) => use(service.url.replace('127.0.0.1', 'localhost')) });

/** A fingerprint reader that always recognizes the person. */
async function addAuthenticator(page: Page) {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const panel = (page: Page) => page.getByRole('region', { name: 'Second factor' });

async function saveRecoveryCodes(page: Page) {
  const shown = dialog(page, 'Save your recovery codes');
  const codes = (await shown.getByTestId('recovery-codes').innerText()).trim().split('\n');
  expect(codes).toHaveLength(10);
  await page.keyboard.press('Escape');
  await expect(shown).toBeVisible();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(shown).toHaveCount(0);
  return codes;
}

async function setUpCodes(page: Page, whenShown?: (page: Page) => Promise<void>) {
  await page.goto('/console/account');
  await panel(page).getByRole('button', { name: 'Set up codes' }).click();
  const form = dialog(page, 'Set up codes');
  const secret = (await form.getByTestId('code-secret').innerText()).trim();
  const code = (steps = 0) => codeAt(secret, stepAt(Date.now()) + steps);
  await whenShown?.(page);
  await form.getByLabel('Code', { exact: true }).fill(code(5));
  await form.getByRole('button', { name: 'Confirm' }).click();
  await expect(form.getByRole('alert')).toContainText('not valid');
  await form.getByLabel('Code', { exact: true }).fill(code(-1));
  await form.getByRole('button', { name: 'Confirm' }).click();
  return { code, recoveryCodes: await saveRecoveryCodes(page) };
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
}

test('a passkey is added, signs in, and is removed', async ({ page, shop }) => {
  await addAuthenticator(page);
  await page.goto('/console/account');
  await panel(page).getByRole('button', { name: 'Add a passkey' }).click();
  await dialog(page, 'Add a passkey').getByLabel('Name').fill('Laptop');
  await page.keyboard.press('Enter');
  await saveRecoveryCodes(page);
  await expect(panel(page).getByRole('article', { name: 'Laptop' })).toContainText('Not used yet');
  await expect(panel(page)).toContainText('10 of 10 left');
  await expectAccessible(page);

  await signOut(page);
  await signIn(page, shop.email);
  await expect(page.getByRole('heading', { name: 'Confirm your sign-in' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();

  await page.goto('/console/account');
  await expect(panel(page).getByRole('article', { name: 'Laptop' })).toContainText('Last used');
  await panel(page).getByRole('button', { name: 'Remove Laptop' }).click();
  const removal = dialog(page, 'Remove this passkey?');
  await expect(removal).toContainText('last second factor');
  await removal.getByRole('button', { name: 'Remove' }).click();
  await expect(panel(page).getByRole('article')).toHaveCount(0);
});

test('codes are set up and sign in, a recovery code too', async ({ page, shop }) => {
  const { code, recoveryCodes } = await setUpCodes(page, expectAccessible);
  await signOut(page);
  await signIn(page, shop.email);
  const field = page.getByLabel('Code', { exact: true });
  await expect(field).toBeFocused();
  await field.fill('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('not valid');
  await field.fill(code());
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();

  await signOut(page);
  await signIn(page, shop.email);
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCodes[0]?.toUpperCase() ?? '');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
  await page.goto('/console/account');
  await expect(panel(page)).toContainText('9 of 10 left');
});

test('a change that needs a confirmation asks for it over the page, and goes on', async ({ page, service, shop }) => {
  const expire = () =>
    service.db.run(sql`update sessions set verified_at = 0 where owner_id in
      (select id from owners where email = ${shop.email})`);
  await page.goto(`/console/stores/${shop.storeId}/settings/team`);
  const form = dialog(page, 'Invite to the team');
  await page.getByRole('button', { name: 'Invite someone' }).click();
  await form.getByLabel('E-mail').fill('boris@example.com');
  await expire();
  await form.getByRole('button', { name: 'Invite' }).click();
  const confirmation = dialog(page, 'Confirm that it is you');
  await expect(confirmation.getByLabel('Password', { exact: true })).toBeFocused();
  await expectAccessible(page);
  // Cancelled: the form is as it was.
  await page.keyboard.press('Escape');
  await expect(confirmation).toHaveCount(0);
  await expect(form.getByRole('alert')).toContainText('Confirm that it is you');
  await expect(form.getByLabel('E-mail')).toHaveValue('boris@example.com');

  await form.getByRole('button', { name: 'Invite' }).click();
  await confirmation.getByLabel('Password', { exact: true }).fill('wrong horse');
  await page.keyboard.press('Enter');
  await expect(confirmation.getByRole('alert')).toBeVisible();
  await confirmation.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(dialog(page, 'The invitation is ready')).toContainText('boris@example.com');
  await expect(confirmation).toHaveCount(0);
});

test('a session that ended goes on after both steps', async ({ page, shop }) => {
  const { code } = await setUpCodes(page);
  await withoutChanges(page);
  await page.goto(`/console/stores/${shop.storeId}/settings/store`);
  await page.getByLabel('Name').fill('Coffee House');
  await page.context().clearCookies({ name: 'session' });
  await page.getByRole('button', { name: 'Save changes' }).click();
  const ended = dialog(page, 'Your session has ended');
  await ended.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await ended.getByRole('button', { name: 'Sign in' }).click();
  await ended.getByLabel('Code', { exact: true }).fill(code());
  await page.keyboard.press('Enter');
  await expect(ended).toHaveCount(0);
  await expect(page.getByRole('button', { name: /Coffee House/ })).toBeVisible();
});

test('a store that requires a second factor leads its members to the set-up', async ({
  page,
  service,
  shop,
  browser,
}) => {
  const openTeam = async () => {
    await page.goto(`/console/stores/${shop.storeId}/settings/team`);
    // The switch moves down when the members appear.
    await page.getByRole('article').first().waitFor();
  };
  await openTeam();
  const required = page.getByRole('switch', { name: 'Require a second factor of everybody' });
  await required.click({ force: true });
  await expect(page.getByRole('alert')).toContainText('Set up a second factor in your account first');
  await setUpCodes(page);
  await openTeam();
  await expectNotification(page, 'A second factor is required now.', () => required.click({ force: true }));
  await expect(required).toBeChecked();
  await expectAccessible(page);

  const member = await service.owner('Boris Petrov');
  const edit = { storeId: shop.storeId, actor: system, now: Date.now() };
  await changeTeam(service.db, shop.storeId, (tx) => addMember(tx, member, 'manager', edit));
  const context = await browser.newContext({ baseURL: service.url.replace('127.0.0.1', 'localhost') });
  const other = await context.newPage();
  await signIn(other, member.email);
  await expect(panel(other)).toContainText('The store requires a second factor.');
  await setUpCodes(other);
  await other.goto(`/console/stores/${shop.storeId}/orders`);
  await expect(other.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();
  await context.close();
});
