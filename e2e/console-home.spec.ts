import { expect, expectAccessible, test } from './fixtures.ts';

const DAY = 86_400_000;

test('the home page shows sales, top products and what needs attention', async ({ page, service, shop }) => {
  await page.getByRole('link', { name: 'Home' }).click();
  const steps = page.getByRole('region', { name: 'First steps' });
  await expect(steps.getByRole('listitem')).toHaveText([/product/, /order/, /order page/, /API key/, /webhook/]);
  await expect(steps.getByRole('img', { name: 'Done' })).toHaveCount(0);
  await service.key(shop.storeId, 'Old', 90 * DAY);
  await page.reload();
  await expect(
    steps.getByRole('listitem').filter({ hasText: 'API key' }).getByRole('img', { name: 'Done' }),
  ).toBeVisible();
  await expectAccessible(page);
  await steps.getByRole('button', { name: 'Hide' }).click();
  await expect(page.getByText('No sales in this period.')).toBeVisible();

  await service.order(shop.storeId, 'Green tea', 3, 50_000);
  await service.key(shop.storeId, 'Website', 5 * DAY);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Revenue', exact: true })).toContainText('1,500.00');
  await expect(page.getByRole('region', { name: 'Orders', exact: true })).toContainText('no earlier data');
  await expect(page.getByRole('region', { name: 'Average order value' })).toContainText('1,500.00');
  const chart = page.getByRole('slider', { name: /Revenue by day/ });
  await expect(chart.locator('canvas')).toBeVisible();
  await chart.press('ArrowLeft');
  await expect(chart).toHaveAttribute('aria-valuetext', /1,500\.00, orders: 1; previous period/);
  await chart.press('ArrowLeft');
  await expect(chart).toHaveAttribute('aria-valuenow', '29');
  await expect(page.getByRole('region', { name: 'Top products' })).toContainText('Green tea');
  await expect(page.getByRole('region', { name: 'Orders by status' })).toContainText('New');
  await expectAccessible(page);
  await page.getByText('Show as table').click();
  await expect(page.getByRole('table', { name: 'Revenue by day' }).getByRole('row')).toHaveCount(31);
  await page.getByText('90 days').click();
  await expect(page).toHaveURL(/days=90/);
  await page.reload();
  await expect(page.getByRole('radio', { name: '90 days' })).toBeChecked();
  await page.getByRole('link', { name: /“Website” expires soon/ }).click();
  await expect(page.getByRole('row', { name: /Website/ })).toBeVisible();
});

test('the axis of the chart has room for large amounts', async ({ page, service, shop }) => {
  await service.order(shop.storeId, 'Island', 10, 90_000_000_000);
  await page.getByRole('link', { name: 'Home' }).click();
  const chart = page.getByRole('slider', { name: /Revenue by day/ });
  await expect(chart.locator('canvas')).toBeVisible();
  const [room, needed] = await chart.evaluate((element) => {
    const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    context.font = `12px ${getComputedStyle(element).fontFamily}`;
    const over = element.querySelector('.u-over') as HTMLElement;
    return [over.offsetLeft, context.measureText('₽8,000,000,000').width];
  });
  expect(room).toBeGreaterThanOrEqual(needed);
});
