import { expect, expectAccessible, test } from './fixtures.ts';
import { type Service, startService } from './service.ts';

let service: Service;
test.beforeAll(async () => {
  // The setup needs a new installation.
  service = await startService();
});
test.afterAll(() => service.stop());

test('the first owner completes the setup, creates a store, and sees why the API is not available', async ({
  page,
}) => {
  await page.goto(`${service.url}/console/`);
  await expect(page).toHaveURL(/\/console\/setup$/);
  await expect(page.getByLabel('Setup token')).toBeVisible();
  await expectAccessible(page);

  // The link that the server prints contains the token.
  await page.goto('about:blank');
  await page.goto(service.setupUrl);
  await expect(page.getByRole('heading', { name: 'Set up Store Sales' })).toBeVisible();
  await expect(page.getByLabel('Setup token')).toHaveCount(0);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByText('This field is required.')).toBeVisible();
  await expect(page.getByText('Enter a valid e-mail address.')).toBeVisible();
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
  await expect(dialog.getByText('This field is required.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Tea and Coffee');
  await dialog.getByRole('combobox', { name: 'Currency' }).fill('EUR');
  await page.getByRole('option', { name: /EUR/ }).click();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create store' }).click();

  await page.getByRole('link', { name: 'API keys' }).click();
  await expect(page.getByRole('heading', { name: 'The API is part of the Optimal plan' })).toBeVisible();
  await expect(page.getByText(/store-sales store plan [0-9a-f-]{36} optimal/)).toBeVisible();
  await expectAccessible(page);

  // The link works only once.
  await page.context().clearCookies();
  await page.goto('about:blank');
  await page.goto(service.setupUrl);
  await expect(page.getByRole('heading', { name: 'Setup is already complete' })).toBeVisible();
  await expectAccessible(page);
});
