import { expect, expectAccessible, test } from './fixtures.ts';

test('an endpoint is added, tested, rotated, edited, switched off and on', async ({ page, service, shop: _shop }) => {
  const receiver = await service.receiver();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await expect(page.getByRole('heading', { name: 'No endpoints yet' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Address').fill('nonsense');
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await expect(dialog.getByText('Enter a whole address')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByLabel('Address').fill(receiver.url);
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
  await expect(page.getByRole('heading', { name: 'Nothing was sent yet' })).toBeVisible();

  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText(/The endpoint answered 200 in \d+ ms/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Answer' })).toHaveText('thanks');
  await expectAccessible(page);
  receiver.answer.status = 500;
  receiver.answer.body = '<b>out of tea</b>';
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText(/The test failed after \d+ ms: it answered 500/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Answer' })).toHaveText('<b>out of tea</b>');
  await expect(page.getByText(/Attempts are failing since/)).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Replace secret' }).click();
  await expect(dialog).toContainText('For 24 hours both sign');
  await dialog.getByRole('button', { name: 'Replace secret' }).click();
  await expect(page.getByTestId('signing-secret')).not.toHaveText(secret);
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText(/The old secret also signs until/)).toBeVisible();

  await page.getByRole('button', { name: 'Edit' }).click();
  await dialog.getByLabel('Order created').uncheck();
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog).toHaveCount(0);

  await page.getByRole('button', { name: 'Switch off' }).click();
  await dialog.getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByText('It was switched off by hand.')).toBeVisible();
  await expect(page.getByText(/Deliveries missed so far: 1/)).toBeVisible();
  await expectAccessible(page);
  receiver.answer.status = 200;
  // Whether it answers again can be seen before it is switched on.
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(page.getByText(/The endpoint answered 200/)).toBeVisible();
  await expect(page.getByText('It was switched off by hand.')).toBeVisible();
  await page.getByRole('button', { name: 'Switch on' }).click();
  await expect(dialog.getByLabel(/Also send what was missed \(1\)/)).toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await expect(page.getByRole('button', { name: 'Switch off' })).toBeVisible();
  await expect.poll(() => receiver.received.length).toBe(4);
});

test('the log is filtered and sent again; the filter lives in the address', async ({ page, service, shop }) => {
  const receiver = await service.receiver();
  const { id } = await service.endpoint(shop.storeId, receiver.url);
  await page.goto(`/console/stores/${shop.storeId}/settings/webhooks/${id}`);
  for (const count of [1, 2]) {
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByText(/The endpoint answered 200/)).toBeVisible();
    await expect.poll(() => receiver.received.length).toBe(count);
    await page.getByRole('button', { name: 'Close' }).click();
  }
  const rows = page.getByRole('region', { name: 'Delivery log' }).getByRole('button', { name: /^Test/ });
  await expect(rows).toHaveCount(2);
  await rows.first().click();
  await expect(page.getByText(/Attempt 1 · Answered 200/)).toHaveCount(1);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send again', exact: true }).click();
  await expect.poll(() => receiver.received.length).toBe(3);

  await page.getByRole('combobox', { name: 'State' }).click();
  await page.getByRole('option', { name: 'Failed' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await expect(page).toHaveURL(/status=failed/);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await page.goto(`/console/stores/${shop.storeId}/settings/webhooks/${id}?type=ping`);
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Send all again' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Deliveries that match: 2.');
  await expect(dialog).toContainText('Delivered before: 2.');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Send all again' }).click();
  await expect.poll(() => receiver.received.length).toBe(5);
});

test('the signature helper tells whether and why', async ({ page, service, shop }) => {
  const receiver = await service.receiver();
  const { id, secret } = await service.endpoint(shop.storeId, receiver.url);
  await page.goto(`/console/stores/${shop.storeId}/settings/webhooks/${id}`);
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect.poll(() => receiver.received.length).toBe(1);
  const [{ signature, body }] = receiver.received as [{ signature: string; body: string }];
  await page.goto(`/console/stores/${shop.storeId}/settings/webhooks/signature`);
  await expect(page.getByRole('heading', { name: 'Signature helper' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const check = async (values: { header?: string; body?: string; secret?: string }) => {
    await page.getByLabel('X-Service-Signature header').fill(values.header ?? signature);
    await page.getByLabel('Body').fill(values.body ?? body);
    await page.getByLabel('Signing secret').fill(values.secret ?? secret);
    await page.getByRole('button', { name: 'Check' }).click();
  };
  await check({});
  await expect(page.getByText('The signature is right')).toBeVisible();
  await expectAccessible(page);
  await check({ header: `X-Service-Signature: ${signature}` });
  await expect(page.getByText('The signature is right')).toBeVisible();
  await check({ body: `${body}\n` });
  await expect(page.getByRole('alert')).toContainText('without the white space');
  await check({ body: JSON.stringify(JSON.parse(body), null, 2) });
  await expect(page.getByRole('alert')).toContainText('in compact form');
  await check({ secret: 'whsec_other' });
  await expect(page.getByRole('alert')).toContainText('The secret is another one');
  await check({ header: 'v1=abc' });
  await expect(page.getByRole('alert')).toContainText('not of the form');
  await page.clock.install({ time: Date.now() + 3_600_000 });
  await check({});
  await expect(page.getByRole('alert')).toContainText('60 min old');
  await expectAccessible(page);
  expect(requests).toEqual([]);
});

test('on plan basic webhooks are closed', async ({ page, service, shop }) => {
  const { owner_id: ownerId } = await service.storeOf(shop.storeId);
  const basic = await service.store(ownerId, 'Small', 'basic');
  await page.goto(`/console/stores/${basic.id}/settings/webhooks`);
  await expect(page.getByRole('heading', { name: 'Webhooks are part of plan Optimal' })).toBeVisible();
  await expectAccessible(page);
});

test('the history tells who changed what, and is filtered', async ({ page, service, shop }) => {
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
  await page.getByRole('combobox', { name: 'What' }).click();
  await page.getByRole('option', { name: 'Account' }).click();
  await expect(entries.first()).toContainText('Account signed in');
  await expect(page).toHaveURL(/kind=account/);
  await page.getByRole('combobox', { name: 'Who' }).click();
  await page.getByRole('option', { name: 'API key “Website”' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing matches' })).toBeVisible();
  await page.goto(`/console/stores/${shop.storeId}/history?kind=references`);
  await expect(entries).toHaveCount(1);
  await page.evaluate(() => localStorage.setItem('store-sales-language', 'ru'));
  await page.goto(`/console/stores/${shop.storeId}/history?kind=key`);
  await expect(entries).toContainText(['Ключ API «Website»: создание']);
  await expect(entries).toContainText(['Доступ: Всё']);
});
