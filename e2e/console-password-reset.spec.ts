import { expect, expectAccessible, signIn } from './fixtures.ts';
import { test } from './mail-fixtures.ts';
import { PASSWORD } from './service.ts';

const NEW_PASSWORD = 'another long password';

test('a forgotten password is replaced with a link from a mail', async ({ page, browser, service, mail }) => {
  const { email, id } = await service.owner();
  await service.store(id);
  const other = await browser.newContext({ baseURL: service.url });
  const signedIn = await other.newPage();
  await signIn(signedIn, email);
  await expect(signedIn.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();

  await page.goto('/console/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await page.getByLabel('E-mail').fill('anna');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Enter a valid e-mail address.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('E-mail').fill(email);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();
  await expectAccessible(page);

  await expect.poll(() => mail.to(email).length).toBe(1);
  const [link = ''] = /https?:\S+/.exec(mail.to(email)[0]?.text ?? '') ?? [];
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(link);
  await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByLabel('Repeat new password').fill('something else');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('Passwords do not match.')).toBeVisible();
  await expectAccessible(page);
  await page.getByLabel('Repeat new password').fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible();
  const token = link.split('#')[1] as string;
  expect(requests.map((url) => url.split('#')[0]).filter((url) => url?.includes(token))).toEqual([]);

  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Incorrect e-mail or password.')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Home', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: 'History' }).click();
  await expect(page.getByText('password reset by mail')).toBeVisible();

  await signedIn.goto('/console/account');
  await expect(signedIn.getByRole('heading', { name: 'Sign in to your store' })).toBeVisible();
  await other.close();
});

test('a link that was used, or has lost its token, offers a new one', async ({ page, service, mail }) => {
  const { email } = await service.owner();
  await page.goto('/console/forgot-password');
  await page.getByLabel('E-mail').fill(email);
  await page.keyboard.press('Enter');
  await expect.poll(() => mail.to(email).length).toBe(1);
  const [link = ''] = /https?:\S+/.exec(mail.to(email)[0]?.text ?? '') ?? [];
  for (const heading of ['Your password was changed', 'This link does not work']) {
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('Repeat new password').fill(NEW_PASSWORD);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  }
  await expectAccessible(page);
  await page.goto('/console/reset-password');
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible();
  await page.getByRole('link', { name: 'Ask for a new link' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
});
