import { readFile } from 'node:fs/promises';
import { expect, expectAccessible, test, withoutChanges } from './fixtures.ts';
import type { Service } from './service.ts';

async function createOrders(service: Service, storeId: string, count: number) {
  const orders: { id: string }[] = [];
  for (let index = 0; index < count; index++)
    orders.push(await service.order(storeId, `Product ${index + 1}`, index + 1, 1000));
  return orders;
}

test('selected orders are changed together, and the result names those that were not', async ({
  page,
  service,
  shop: { storeId },
}) => {
  const orders = await createOrders(service, storeId, 5);
  const api = `/console/api/stores/${storeId}/orders`;
  const change = (index: number, data: object) =>
    page.request.patch(`${api}/${orders[index]?.id}`, { headers: { origin: service.url }, data });
  // Otherwise the page would show the changes below before the owner goes on.
  await withoutChanges(page);
  await page.goto(`/console/stores/${storeId}/orders`);
  const box = (number: number) => page.getByRole('checkbox', { name: `Select order #${number}` });
  const bar = page.getByRole('region', { name: 'Selected orders' });

  await box(5).click();
  await box(2).click({ modifiers: ['Shift'] });
  await expect(bar).toContainText('Selected: 4');
  await expect(page.getByRole('checkbox', { name: 'Select all orders on this page' })).toBeChecked({
    indeterminate: true,
  });
  await box(4).click();
  await expect(bar).toContainText('Selected: 3');
  await expectAccessible(page);

  // While the owner looks at the list, one order changes and another already gets the status.
  await change(1, { notes: 'Call first' });
  await change(2, { status: 'packing' });
  await bar.getByRole('button', { name: 'Change status' }).click();
  await page.getByRole('menuitem', { name: 'Packing' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change orders' });
  await expect(dialog).toContainText('Set the status “Packing” for 3 orders?');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Change orders' }).click();
  await expect(dialog).toContainText('Changed: 1');
  await expect(dialog).toContainText('Already had this status: 1');
  await expect(dialog).toContainText('Not changed: 1');
  await expect(dialog.getByRole('listitem')).toHaveText(['#2: someone else changed it meanwhile']);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(bar).toHaveCount(0);
  const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row');
  await expect(rows).toHaveText([/Order/, /#5.*Packing/, /#4.*New/, /#3.*Packing/, /#2.*New/, /#1.*New/]);

  // A lost connection is continued; nothing is changed twice.
  await page.getByRole('checkbox', { name: 'Select all orders on this page' }).click();
  await bar.getByRole('button', { name: 'Change payment' }).click();
  await page.getByRole('menuitem', { name: 'Paid', exact: true }).click();
  await page.route('**/orders/bulk', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await dialog.getByRole('button', { name: 'Change orders' }).click();
  await expect(dialog).toContainText('The connection was lost.');
  await page.unroute('**/orders/bulk');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toContainText('Already had this status: 5');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  const details = await (await page.request.get(`${api}/${orders[0]?.id}`)).json();
  expect(details.timeline.map(({ type }: { type: string }) => type)).toEqual([
    ...['order.payment_status_changed', 'order.created'],
  ]);

  await box(5).click();
  await box(3).click();
  await bar.getByRole('button', { name: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'one row per order' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n').slice(1);
  expect(lines.map((line) => line.split(',')[1])).toEqual(['5', '3']);
});

test('all orders that match the filters are changed, page by page', async ({ page, service, shop: { storeId } }) => {
  const orders = await createOrders(service, storeId, 52);
  await page.request.patch(`/console/api/stores/${storeId}/orders/${orders[0]?.id}`, {
    headers: { origin: service.url },
    data: { status: 'cancelled' },
  });
  await page.goto(`/console/stores/${storeId}/orders?status=new&order=updatedAt:asc`);
  await page.getByRole('checkbox', { name: 'Select all orders on this page' }).click();
  const bar = page.getByRole('region', { name: 'Selected orders' });
  await bar.getByRole('button', { name: 'Select all 51 that match the filters' }).click();
  await expect(bar).toContainText('All orders that match the filters are selected');
  await bar.getByRole('button', { name: 'Change status' }).click();
  await page.getByRole('menuitem', { name: 'Completed' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change orders' });
  await dialog.getByRole('button', { name: 'Change orders' }).click();
  await expect(dialog).toContainText('Changed: 51');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Orders by status' })).toContainText('Completed 51');
  await expect(page.getByRole('navigation', { name: 'Orders by status' })).toContainText('Cancelled 1');
});

test('packing slips and invoices are printed, one order to a page', async ({ page, service, shop: { storeId } }) => {
  const [first] = await createOrders(service, storeId, 2);
  await page.request.patch(`/console/api/stores/${storeId}/orders/${first?.id}`, {
    headers: { origin: service.url },
    data: { customer: { name: 'Анна Ким' }, delivery: { city: 'Tver' }, notes: 'Call first' },
  });
  await page.goto(`/console/stores/${storeId}/orders`);
  await page.getByRole('checkbox', { name: 'Select all orders on this page' }).click();
  await page.getByRole('region', { name: 'Selected orders' }).getByRole('button', { name: 'Print' }).click();
  const [slips] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('menuitem', { name: 'Packing slips' }).click(),
  ]);
  await expect(slips.getByRole('article')).toHaveText([
    /#2.*Product 2/,
    /Tea and Coffee.*#1.*Анна Ким.*Tver.*Call first/,
  ]);
  // No prices, but what is to be paid on delivery.
  await expect(slips.getByRole('article').first()).toHaveText(/^[^₽]*Due: ₽20\.00$/);
  await expectAccessible(slips);
  await slips.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(slips.getByRole('button', { name: 'Print' })).toBeHidden();
  const colors = await slips.locator('main').evaluate((main) => {
    const { color, backgroundColor } = getComputedStyle(main);
    return { color, backgroundColor };
  });
  expect(colors).toEqual({ color: 'rgb(0, 0, 0)', backgroundColor: 'rgb(255, 255, 255)' });
  const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length;
  for (const format of ['A4', 'Letter']) expect(pagesOf(await slips.pdf({ format }))).toBe(2);

  await page.goto(`/console/stores/${storeId}/orders/${first?.id}`);
  await page.getByRole('button', { name: 'Print' }).click();
  const [invoice] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('menuitem', { name: 'Invoice' }).click(),
  ]);
  await expect(invoice.getByRole('article')).toHaveCount(1);
  await expect(invoice.getByRole('article')).toContainText(/Invoice for order #1.*Product 1.*10\.00.*Total.*10\.00/);
  await expectAccessible(invoice);
});
