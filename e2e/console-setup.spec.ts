import { expect, expectAccessible, test } from './fixtures.ts';
import { type Service, startService } from './service.ts';

let service: Service;
test.beforeAll(async () => {
  // Its own: nobody may have been here before.
  service = await startService();
});
test.afterAll(() => service.stop());

test('the first owner sets up, creates a store, and learns why the API is closed', async ({ page }) => {
  await page.goto(`${service.url}/console/`);
  await expect(page).toHaveURL(/\/console\/setup$/);
  await expect(page.getByLabel('Set-up token')).toBeVisible();
  await expectAccessible(page);

  // The link that the server printed brings the token along.
  await page.goto('about:blank');
  await page.goto(service.setupUrl);
  await expect(page.getByRole('heading', { name: 'Set up Store Sales' })).toBeVisible();
  await expect(page.getByLabel('Set-up token')).toHaveCount(0);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('Fill this in.')).toBeVisible();
  await expect(page.getByText('Enter an e-mail address.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Your name').fill('Anna');
  await page.getByLabel('E-mail').fill('anna@example.test');
  await page.getByLabel('Password', { exact: true }).fill('correct horse');
  await page.getByRole('button', { name: 'Create account' }).click();

  await expect(page.getByRole('heading', { name: 'Create your first store' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('main').getByRole('button', { name: 'Create store' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create store' }).click();
  await expect(dialog.getByText('Fill this in.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Tea and Coffee');
  await dialog.getByRole('combobox', { name: 'Currency' }).fill('EUR');
  await page.getByRole('option', { name: /EUR/ }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create store' }).click();

  await page.getByRole('link', { name: 'API keys' }).click();
  await expect(page.getByRole('heading', { name: 'The API is part of plan Optimal' })).toBeVisible();
  await expect(page.getByText(/store-sales store plan [0-9a-f-]{36} optimal/)).toBeVisible();
  await expectAccessible(page);

  // The link has done its work.
  await page.context().clearCookies();
  await page.goto('about:blank');
  await page.goto(service.setupUrl);
  await expect(page.getByRole('heading', { name: 'The set-up is done' })).toBeVisible();
  await expectAccessible(page);
});
