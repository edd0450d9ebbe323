import { expect, expectAccessible, test } from './fixtures.ts';

const DAY = 86_400_000;

test('the home page shows sales, what sells and what needs attention', async ({ page, service, shop }) => {
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(page.getByText('No sales in these days.')).toBeVisible();
  await expectAccessible(page);

  await service.order(shop.storeId, 'Green tea', 3, 50_000);
  await service.key(shop.storeId, 'Website', 5 * DAY);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Revenue', exact: true })).toContainText('1,500.00');
  await expect(page.getByRole('region', { name: 'Orders', exact: true })).toContainText('nothing before');
  await expect(page.getByRole('region', { name: 'Average order' })).toContainText('1,500.00');
  await expect(page.getByRole('img', { name: /Revenue by day/ })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Best products' })).toContainText('Green tea');
  await expect(page.getByRole('region', { name: 'Orders by status' })).toContainText('New');
  await expectAccessible(page);
  await page.getByText('As a table').click();
  await expect(page.getByRole('table', { name: 'Revenue by day' }).getByRole('row')).toHaveCount(31);
  await page.getByText('90 days').click();
  await expect(page).toHaveURL(/days=90/);
  await page.reload();
  await expect(page.getByRole('radio', { name: '90 days' })).toBeChecked();
  await page.getByRole('link', { name: /“Website” expires soon/ }).click();
  await expect(page.getByRole('row', { name: /Website/ })).toBeVisible();
});
