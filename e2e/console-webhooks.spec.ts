import { alertIn, expect, expectAccessible, expectNotification, test, withoutChanges } from './fixtures.ts';

test('an endpoint is added, tested, edited, disabled and enabled, and its secret is replaced', async ({
  page,
  service,
  shop: _shop,
}) => {
  const receiver = await service.receiver();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expect(page.getByRole('heading', { name: 'No endpoints yet' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Endpoint URL').fill('nonsense');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(dialog.getByText('Enter a full URL')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Endpoint URL').fill(receiver.url);
  await dialog.getByLabel('Payment status changed').uncheck();
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  const secret = (await page.getByTestId('signing-secret').textContent()) as string;
  expect(secret).toMatch(/^whsec_/);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Done' }).click();

  await expect(page.getByRole('article', { name: receiver.url })).toContainText('Order created · Order status changed');
  await expectAccessible(page);
  await page.getByRole('link', { name: receiver.url }).click();
  await expect(page.getByRole('heading', { name: 'No deliveries yet' })).toBeVisible();

  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText(/The endpoint responded with 200 in \d+ ms/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Response body' })).toHaveText('thanks');
  await expectAccessible(page);
  receiver.reply.status = 500;
  receiver.reply.body = '<b>out of tea</b>';
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText(/The test failed after \d+ ms: response status 500/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Response body' })).toHaveText('<b>out of tea</b>');
  await expect(page.getByText(/Failing since/)).toBeVisible();
  await expect(page.getByText('Failed, will retry')).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Replace secret' }).click();
  await expect(dialog).toContainText('Both secrets are valid for 24 hours');
  await dialog.getByRole('button', { name: 'Replace secret' }).click();
  await expect(page.getByTestId('signing-secret')).not.toHaveText(secret);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(/The old secret is valid until/)).toBeVisible();

  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Order created').uncheck();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toHaveCount(0);

  await page.getByRole('button', { name: 'Disable' }).click();
  await dialog.getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByText('Disabled manually.')).toBeVisible();
  await expect(page.getByText(/Missed deliveries: 1/)).toBeVisible();
  await expectAccessible(page);
  receiver.reply.status = 200;
  // A disabled endpoint can be tested before it is enabled.
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText(/The endpoint responded with 200/)).toBeVisible();
  await expect(page.getByText('Disabled manually.')).toBeVisible();
  await page.getByRole('button', { name: 'Enable' }).click();
  await expect(dialog.getByLabel(/Also send missed deliveries \(1\)/)).toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Enable' }).click();
  await expect(page.getByRole('button', { name: 'Disable' })).toBeVisible();
  await expect.poll(() => receiver.received.length).toBe(4);
});

test('the log is filtered by the URL, and deliveries are resent', async ({ page, service, shop }) => {
  const receiver = await service.receiver();
  const { id } = await service.endpoint(shop.storeId, receiver.url);
  await page.goto(`/console/stores/${shop.storeId}/settings/webhooks/${id}`);
  for (const count of [1, 2]) {
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByText(/The endpoint responded with 200/)).toBeVisible();
    await expect.poll(() => receiver.received.length).toBe(count);
    await page.getByRole('button', { name: 'Close' }).click();
  }
  const rows = page.getByRole('region', { name: 'Delivery log' }).getByRole('button', { name: /^Test/ });
  await expect(rows).toHaveCount(2);
  await rows.first().click();
  await expect(page.getByText(/Attempt 1 · Response 200/)).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Resend', exact: true }).click();
  await expect.poll(() => receiver.received.length).toBe(3);

  await page.getByRole('combobox', { name: 'Status' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await expect(page).toHaveURL(/status=failed/);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await page.goto(`/console/stores/${shop.storeId}/settings/webhooks/${id}?type=ping`);
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Resend all' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Matching deliveries: 2.');
  await expect(dialog).toContainText('Already delivered: 2.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Resend all' }).click();
  await expect.poll(() => receiver.received.length).toBe(5);
});

test('the signature page shows whether a signature is valid and why not', async ({ page, service, shop }) => {
  const receiver = await service.receiver();
  const { id, secret } = await service.endpoint(shop.storeId, receiver.url);
  await page.goto(`/console/stores/${shop.storeId}/settings/webhooks/${id}`);
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect.poll(() => receiver.received.length).toBe(1);
  const [{ signature, body }] = receiver.received as [{ signature: string; body: string }];
  await withoutChanges(page);
  await page.goto(`/console/stores/${shop.storeId}/settings/webhooks/signature`);
  await expect(page.getByRole('heading', { name: 'Verify a signature' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const requests: string[] = [];
  page.on('request', (request) => {
    if (!request.url().endsWith('/changes')) requests.push(request.url());
  });
  const check = async (values: { header?: string; body?: string; secret?: string }) => {
    await page.getByLabel('X-Service-Signature header').fill(values.header ?? signature);
    await page.getByLabel('Body').fill(values.body ?? body);
    await page.getByLabel('Signing secret').fill(values.secret ?? secret);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
  };
  await check({});
  await expect(page.getByText('The signature is valid')).toBeVisible();
  await expectAccessible(page);
  await check({ header: `X-Service-Signature: ${signature}` });
  await expect(page.getByText('The signature is valid')).toBeVisible();
  await check({ body: `${body}\n` });
  await expect(page.getByRole('alert')).toContainText('without the whitespace around the body');
  await check({ body: JSON.stringify(JSON.parse(body), null, 2) });
  await expect(page.getByRole('alert')).toContainText('the compact JSON');
  await check({ secret: 'whsec_other' });
  await expect(page.getByRole('alert')).toContainText('The secret is different');
  await check({ header: 'v1=abc' });
  await expect(page.getByRole('alert')).toContainText('does not have the form');
  await page.clock.install({ time: Date.now() + 3_600_000 });
  await check({});
  await expect(page.getByRole('alert')).toContainText('60 min old');
  await expectAccessible(page);
  expect(requests).toEqual([]);
});

test('an endpoint is deleted with its log, after a question', async ({ page, service, shop: { storeId } }) => {
  const receiver = await service.receiver();
  const { id } = await service.endpoint(storeId, receiver.url);
  const api = `/console/api/stores/${storeId}/webhooks/${id}`;
  await page.goto(`/console/stores/${storeId}/settings/webhooks/${id}`);
  await page.getByRole('button', { name: 'Delete endpoint' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete this endpoint?' });
  await expect(dialog).toContainText(`${receiver.url} gets no more events.`);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toHaveCount(0);

  // The question stays open with the reason if it fails.
  await page.getByRole('button', { name: 'Delete endpoint' }).click();
  await page.route(`**${api}`, (route) =>
    route.request().method() === 'DELETE' ? route.abort('connectionrefused') : route.fallback(),
  );
  await dialog.getByRole('button', { name: 'Delete endpoint' }).click();
  await expect(alertIn(dialog, 'Could not reach the server.')).toBeVisible();
  await page.unroute(`**${api}`);
  await expectNotification(page, 'Endpoint deleted', () =>
    dialog.getByRole('button', { name: 'Delete endpoint' }).click(),
  );
  await expect(page.getByRole('heading', { name: 'No endpoints yet' })).toBeVisible();
  await service.order(storeId, 'Green tea', 1, 1000);
  expect((await page.request.get(api)).status()).toBe(404);
  expect(receiver.received).toHaveLength(0);
});

test('webhooks are not available on the Basic plan', async ({ page, service, shop }) => {
  const { owner_id: ownerId } = await service.storeOf(shop.storeId);
  const basic = await service.store(ownerId, 'Small', 'basic');
  await page.goto(`/console/stores/${basic.id}/settings/webhooks`);
  await expect(page.getByRole('heading', { name: 'Webhooks are part of the Optimal plan' })).toBeVisible();
  await expectAccessible(page);
});

test('the history shows who changed what, and is filtered', async ({ page, service, shop }) => {
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByLabel('Name').fill('Website');
  await page.getByRole('button', { name: 'Select all' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const secret = (await page.getByTestId('secret').textContent()) as string;
  await page.getByRole('button', { name: 'Done' }).click();
  await fetch(`${service.url}/api/v1/references/warehouses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: '{"name":"North"}',
  });
  await page.getByRole('link', { name: 'History' }).click();
  const entries = page.getByRole('main').getByRole('listitem');
  await expect(entries.first()).toContainText('Warehouse “North” created');
  await expect(entries.first()).toContainText('API key “Website”');
  await expect(entries.nth(1)).toContainText('API key “Website” created');
  await expect(entries.nth(1)).toContainText('You');
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Area' }).click();
  await page.getByRole('option', { name: 'Account' }).click();
  await expect(entries.first()).toContainText('Account signed in');
  await expect(page).toHaveURL(/kind=account/);
  await page.getByRole('combobox', { name: 'Changed by' }).click();
  await page.getByRole('option', { name: 'API key “Website”' }).click();
  await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
  await page.goto(`/console/stores/${shop.storeId}/history?kind=references`);
  await expect(entries).toHaveCount(1);
  await page.evaluate(() => localStorage.setItem('store-sales-language', 'ru'));
  await page.goto(`/console/stores/${shop.storeId}/history?kind=key`);
  await expect(entries).toContainText(['Ключ API «Website»: создание']);
  await expect(entries).toContainText(['Права доступа: Полный доступ']);
});
