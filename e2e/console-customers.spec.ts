import { alertIn, expect, expectAccessible, expectNotification, test } from './fixtures.ts';

test('customers: create, duplicate, edit, conflict, new order and merge', async ({ page, service, shop }) => {
  const api = (path: string) => `/console/api/stores/${shop.storeId}/${path}`;
  const headers = { origin: service.url };
  const post = async (path: string, data: object) => (await page.request.post(api(path), { headers, data })).json();
  await post('products', { name: 'Sencha', price: 89_000, sku: 'S-1' });

  await page.getByRole('link', { name: 'Customers' }).click();
  const dialog = page.getByRole('dialog');
  const add = page.getByRole('button', { name: 'Add customer' });
  await add.click();
  await dialog.getByRole('button', { name: 'Add customer' }).click();
  await expect(dialog.getByText('Enter a name, a phone or an e-mail.')).toBeVisible();
  await dialog.getByLabel('Name').fill('Anna Petrova');
  await dialog.getByLabel('Phone').fill('8 916 000-00-01');
  await expectNotification(page, 'Customer added', () => page.keyboard.press('Enter'));
  await expect(page.getByRole('heading', { name: 'Anna Petrova', level: 1 })).toBeVisible();
  await expect(page.getByText('No orders yet.')).toBeVisible();

  // The phone of another customer is refused, and leads to that customer.
  await page.getByRole('link', { name: 'All customers' }).click();
  await add.click();
  await dialog.getByLabel('Phone').fill('+7 (916) 000 00 01');
  await page.keyboard.press('Enter');
  await expect(dialog.getByText('Another customer already has this phone.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('link', { name: 'Anna Petrova' }).click();
  await expect(page.getByRole('heading', { name: 'Anna Petrova', level: 1 })).toBeVisible();
  const customerId = page.url().split('/').at(-1) as string;

  // Someone else's change is shown, not overwritten.
  await page.getByRole('button', { name: 'Edit' }).click();
  const other = { headers, data: { email: 'anna@example.com' } };
  expect((await page.request.patch(api(`customers/${customerId}`), other)).ok()).toBe(true);
  await dialog.getByLabel('External ID').fill('crm-7');
  await page.keyboard.press('Enter');
  await expect(alertIn(dialog, 'anna@example.com')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Contact details' })).toContainText(/anna@example\.com.*crm-7/s);

  // A new order has the customer filled in.
  await page.getByRole('link', { name: 'New order' }).click();
  await expect(page.getByRole('combobox', { name: 'Phone' })).toHaveValue('8 916 000-00-01');
  await page.getByRole('combobox', { name: 'Add a product' }).fill('Sen');
  await page.getByRole('option', { name: /Sencha/ }).click();
  await page.getByRole('button', { name: 'Create order' }).click();
  await page.getByRole('heading', { name: /^Order / }).waitFor();

  // While typing, existing customers are found.
  await page.goto(`/console/stores/${shop.storeId}/orders/new`);
  await page.getByRole('combobox', { name: 'Name' }).fill('petr');
  await page.getByRole('option', { name: /Anna Petrova/ }).click();
  await expect(page.getByRole('combobox', { name: 'E-mail' })).toHaveValue('anna@example.com');
  await expectAccessible(page);

  const duplicate = await post('customers', { name: 'A. Petrova', phone: '+7 999 000-00-02' });
  await page.getByRole('combobox', { name: 'Name' }).fill('');
  await page.goto(`/console/stores/${shop.storeId}/customers/${duplicate.id}`);
  await page.getByRole('button', { name: 'Merge' }).click();
  await dialog.getByRole('combobox', { name: 'Duplicate' }).fill('anna');
  await page.getByRole('option', { name: /Anna Petrova/ }).click();
  await expect(dialog.getByText(/cannot be undone/)).toBeVisible();
  await expectAccessible(page);
  await expectNotification(page, 'Customers merged', () => dialog.getByRole('button', { name: 'Merge' }).click());
  await expect(page.getByRole('region', { name: 'Contact details' })).toContainText(/anna@example\.com.*890\.00/s);
  await expect(page.getByRole('region', { name: 'Orders' })).toContainText('890.00');
  await expectAccessible(page);

  // The merged customer opens the one that was kept, and is in no list.
  await page.goto(`/console/stores/${shop.storeId}/customers/${customerId}`);
  await expect(page).toHaveURL(new RegExp(`/customers/${duplicate.id}$`));
  await expect(page.getByRole('heading', { name: 'A. Petrova', level: 1 })).toBeVisible();
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`/console/stores/${shop.storeId}/orders/new?customer=${customerId}`);
  await expect(page.getByRole('combobox', { name: 'Phone' })).toHaveValue('+7 999 000-00-02');
  await page.getByRole('link', { name: 'Customers' }).click();
  await expect(page.getByRole('link', { name: /Petrova/ })).toHaveCount(1);
});
