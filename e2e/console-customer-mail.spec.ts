import { expect, expectAccessible, expectNotification } from './fixtures.ts';
import { test } from './mail-fixtures.ts';

test('customers are told by status and by hand, and the seller is on documents', async ({
  page,
  service,
  mail,
  shop,
}) => {
  const path = `/console/stores/${shop.storeId}`;
  const api = `/console/api/stores/${shop.storeId}`;
  const headers = { origin: service.url };
  const productId = await service.product(shop.storeId, { name: 'Tea', price: 10_000 });
  const customer = { name: 'Anna', email: 'anna@customer.example' };
  const delivery = { address: 'Moscow, Tverskaya 1', city: 'Moscow', street: 'Tverskaya', house: '1' };
  const data = { items: [{ productId, quantity: 1 }], customer, delivery };
  const { order } = await (await page.request.post(`${api}/orders`, { headers, data })).json();
  const dialog = page.getByRole('dialog');

  await page.goto(`${path}/settings/store`);
  const seller = page.getByRole('region', { name: 'Seller' });
  await seller.getByLabel('Company or person').fill('Tea LLC');
  await seller.getByLabel('Address').fill('12 Main street');
  await seller.getByLabel('Tax number').fill('770123');
  await seller.getByLabel('E-mail for answers').fill('hello@tea.example');
  await expectAccessible(page);
  await expectNotification(page, 'Saved', () => seller.getByRole('button', { name: 'Save' }).click());

  await page.goto(`${path}/references/order-statuses`);
  await page.getByRole('button', { name: 'Mail to customers: Delivering, off' }).click();
  await dialog.getByRole('switch', { name: 'Mail customers' }).press('Space');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog.getByText('Write a text in at least one language.')).toBeVisible();
  await dialog.getByLabel('Text of the mail').fill('Hello, {customer}!\nOrder {number} of {total} is on its way.');
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Order 1024 of ₽1,290.00 is on its way.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('button', { name: 'Mail to customers: Delivering, on' })).toBeVisible();
  await expectAccessible(page);

  await page.goto(`${path}/orders/${order.id}`);
  await page.getByRole('region', { name: 'Status and payment' }).getByLabel('Status', { exact: true }).click();
  await page.getByRole('option', { name: 'Delivering' }).click();
  await expect(page.getByText('Customer told by mail')).toBeVisible();
  await expect.poll(() => mail.to(customer.email).length, { timeout: 20_000 }).toBe(1);
  expect(mail.to(customer.email)[0]?.text).toContain('Hello, Anna!\n\nOrder 1 of ₽100.00 is on its way.');
  expect(mail.to(customer.email)[0]?.headers['reply-to']).toEqual(['hello@tea.example']);

  await page.getByRole('button', { name: 'Write a mail' }).click();
  await dialog.getByLabel('Text', { exact: true }).fill('We are out of bags.\nYours');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('We are out of bags.');
  await expect.poll(() => mail.to(customer.email).length, { timeout: 20_000 }).toBe(2);
  await expectAccessible(page);

  await page.goto(`${path}/orders/print?kind=invoice&numbers=1`);
  await page.getByLabel('Note to the customer').fill('Thank you!');
  const invoice = page.getByRole('article');
  await expect(invoice).toContainText('Tea LLC12 Main streetTax number: 770123');
  await expect(invoice).toContainText('Thank you!');
  expect((await invoice.textContent())?.match(/Tverskaya/g)).toHaveLength(1);
});
