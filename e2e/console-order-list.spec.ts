import { alertIn, expect, expectAccessible, expectNotification, test } from './fixtures.ts';
import type { Service } from './service.ts';

const DAY = 86_400_000;

/** Orders of the API, oldest first, each `daysAgo` days old; all but the first are of today. */
async function createOrders(service: Service, storeId: string, count: number) {
  const orders: { id: string }[] = [];
  for (let index = 0; index < count; index++)
    orders.push(await service.order(storeId, `Product ${index}`, 1, 1000 * (index + 1)));
  return orders;
}

test('orders are counted by status, sorted, filtered by period and shown in a saved view', async ({
  page,
  service,
  shop: { storeId },
}) => {
  const [first] = await createOrders(service, storeId, 3);
  const path = `/console/stores/${storeId}/orders`;
  const change = (id: string | undefined, data: object) =>
    page.request.patch(`/console/api/stores/${storeId}/orders/${id}`, { headers: { origin: service.url }, data });
  await change(first?.id, { status: 'packing' });
  await page.goto(path);
  const rows = page.getByRole('table', { name: 'Orders' }).getByRole('row');
  const tabs = page.getByRole('navigation', { name: 'Orders by status' });
  await expect(tabs.getByRole('link')).toHaveText([
    ...['All 3', 'New 2', 'Packing 1', 'Delivering 0', 'Completed 0', 'Cancelled 0', 'Returned 0'],
  ]);
  await expectAccessible(page);
  await tabs.getByRole('link', { name: 'Packing' }).click();
  await expect(rows).toHaveText([/Order/, /#1.*Packing/]);
  await expect(tabs.getByRole('link', { name: 'Packing' })).toHaveAttribute('aria-current', 'page');
  await tabs.getByRole('link', { name: 'All' }).click();

  // The first order was changed last.
  const header = (name: string) => page.getByRole('columnheader', { name });
  await expect(header('Created')).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Updated' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Source' }).click();
  await expect(page.getByRole('menuitemcheckbox', { name: 'Source' })).toHaveAttribute('aria-checked', 'false');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(header('Source')).toHaveCount(0);
  await header('Updated').getByRole('button').click();
  await expect(rows).toHaveText([/Order/, /#1/, /#3/, /#2/]);
  await expect(header('Updated')).toHaveAttribute('aria-sort', 'descending');
  await header('Updated').getByRole('button').click();
  await expect(rows).toHaveText([/Order/, /#2/, /#3/, /#1/]);
  await expect(page).toHaveURL(/order=updatedAt/);
  await header('Total').getByRole('button').click();
  await expect(rows).toHaveText([/Order/, /#3/, /#2/, /#1/]);
  await expect(header('Total')).toHaveAttribute('aria-sort', 'descending');
  await header('Total').getByRole('button').click();
  await expect(rows).toHaveText([/Order/, /#1/, /#2/, /#3/]);
  await expect(page.getByText('Total of these orders: ₽60.00')).toBeVisible();
  await tabs.getByRole('link', { name: 'New' }).click();
  await expect(rows).toHaveText([/Order/, /#2/, /#3/]);
  await expect(page.getByText('Total of these orders: ₽50.00')).toBeVisible();
  await tabs.getByRole('link', { name: 'All' }).click();
  await header('Updated').getByRole('button').click();
  await header('Updated').getByRole('button').click();
  await expect(page).toHaveURL(/order=updatedAt/);

  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'Yesterday' }).click();
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  const day = (ago: number) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Moscow' }).format(Date.now() - ago * DAY);
  await expect(page.getByLabel('From', { exact: true })).toHaveValue(day(1));
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'Last 7 days' }).click();
  await expect(rows).toHaveCount(4);
  await expect(page.getByLabel('From', { exact: true })).toHaveValue(day(6));
  await expect(tabs.getByRole('link').first()).toHaveText('All 3');

  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save as a new view' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name of the view').fill('This week');
  await expectAccessible(page);
  await expectNotification(page, 'View saved', () => dialog.getByRole('button', { name: 'Save changes' }).click());
  await expect(page.getByRole('button', { name: 'This week' })).toBeVisible();

  // In another browser, the view brings its filters, sort and columns.
  await page.evaluate(() => localStorage.clear());
  await page.goto(path);
  await expect(header('Source')).toBeVisible();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save as a new view' }).click();
  await dialog.getByLabel('Name of the view').fill('this WEEK');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(alertIn(dialog, 'This name is already in use.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'This week' }).click();
  await expect(rows).toHaveText([/Order/, /#2/, /#3/, /#1/]);
  await expect(header('Source')).toHaveCount(0);
  await expect(page).toHaveURL(/period=last7/);
  await page.getByRole('button', { name: 'This week' }).click();
  await expectNotification(page, 'View deleted', () => page.getByRole('menuitem', { name: 'Delete' }).click());
  await expect(page.getByRole('button', { name: 'Views' })).toBeVisible();
});

test('a parameter that something has added to the link is ignored', async ({ page, service, shop: { storeId } }) => {
  await createOrders(service, storeId, 1);
  await page.goto(`/console/stores/${storeId}/orders?utm_source=chat&status=new`);
  await expect(page.getByRole('table', { name: 'Orders' })).toContainText('#1');
  await expect(page.getByRole('link', { name: 'Packing 0' })).toHaveAttribute('href', /orders\?status=packing$/);
});

test('the board is filtered and counted, and shows all stages on a wide screen', async ({
  page,
  service,
  shop: { storeId },
}) => {
  const [first] = await createOrders(service, storeId, 2);
  const data = { paymentStatus: 'paid' };
  await page.request.patch(`/console/api/stores/${storeId}/orders/${first?.id}`, {
    headers: { origin: service.url },
    data,
  });
  await page.setViewportSize({ width: 1920, height: 1000 });
  await page.goto(`/console/stores/${storeId}/orders/board`);
  const column = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(column('New')).toContainText('New2');
  await expect(column('Returned')).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Payment' }).click();
  await page.getByRole('option', { name: 'Paid', exact: true }).click();
  await expect(column('New').getByRole('listitem')).toHaveText([/#1/]);
  await expect(column('New')).toContainText('New1');
  await page.reload();
  await expect(column('New').getByRole('listitem')).toHaveText([/#1/]);
  await expectNotification(page, 'Order #1: Packing', () =>
    column('New').getByRole('listitem').dragTo(column('Packing')),
  );
  await expect(column('Packing')).toContainText('Packing1');
  await expect(column('New')).toContainText('New0');
});

test('nothing is clipped at 320 px in Russian', async ({ page, service, shop: { storeId } }) => {
  await createOrders(service, storeId, 1);
  await page.evaluate(() => localStorage.setItem('store-sales-language', 'ru'));
  await page.setViewportSize({ width: 320, height: 800 });
  for (const path of ['orders', 'orders/board']) {
    await page.goto(`/console/stores/${storeId}/${path}`);
    await expect(page.getByText('#1', { exact: true }).last()).toBeVisible();
    await page.getByRole('button', { name: 'Фильтры' }).click();
    // Buttons and fields whose text does not fit, or that reach out of the page.
    const clipped = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main button, main a, main label, main h1')]
          .filter((element) => element.checkVisibility() && !element.closest('nav, section[aria-label="Доска"]'))
          .filter((element) => {
            const { left, right } = element.getBoundingClientRect();
            const inner = [element, ...element.querySelectorAll('*')].some(
              (part) => part instanceof HTMLElement && part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0,
            );
            return left < 0 || right > window.innerWidth || inner;
          })
          .map((element) => element.textContent),
      );
    await expect.poll(clipped).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  }
});
