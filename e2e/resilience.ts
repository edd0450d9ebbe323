import type { Page } from '@playwright/test';
import { expect, withoutChanges } from './fixtures.ts';
import { PASSWORD, type Service } from './service.ts';

/** A product, orders of it through the console API, and a way to change them as someone else would. */
export async function prepare(page: Page, service: Service, storeId: string, orders: object[] = []) {
  const api = `/console/api/stores/${storeId}`;
  const headers = { origin: service.url };
  const product = { name: 'Green tea', sku: 'TEA-1', price: 15_000 };
  expect((await page.request.post(`${api}/products`, { headers, data: product })).ok()).toBe(true);
  const ids: string[] = [];
  for (const order of orders) {
    const data = { items: [{ sku: 'TEA-1', quantity: 2 }], ...order };
    ids.push((await (await page.request.post(`${api}/orders`, { headers, data })).json()).order.id);
  }
  const read = async (index: number) =>
    (await (await page.request.get(`${api}/orders/${ids[index]}`)).json()).order as {
      customer: { name: string; phone: string };
      status: { code: string };
      notes: string;
    };
  const change = async (index: number, data: object) =>
    expect((await page.request.patch(`${api}/orders/${ids[index]}`, { headers, data })).ok()).toBe(true);
  const count = async () => (await (await page.request.get(`${api}/orders`)).json()).data.length as number;
  return { ids, read, change, count, api, path: `/console/stores/${storeId}` };
}

export const anna = { customer: { name: 'Anna', phone: '+7 916 000-00-01' } };
export const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });
export const notes = (page: Page) => page.getByRole('textbox', { name: 'Notes' });
export const save = (page: Page) => page.getByRole('button', { name: 'Save changes' });
export const unsaved = (page: Page) => dialogOf(page, 'Discard unsaved changes?');
export const sessionEnded = (page: Page) => dialogOf(page, 'Your session has ended');
export async function endSession(page: Page) {
  // The stream of changes would notice it by itself, before the test does something.
  await withoutChanges(page);
  await page.context().clearCookies({ name: 'session' });
}

/** The console refreshes what it shows when the connection is back. */
export async function refresh(page: Page) {
  await page.context().setOffline(true);
  await page.context().setOffline(false);
}

export async function signInAgain(page: Page, email?: string) {
  const dialog = sessionEnded(page);
  if (email) await dialog.getByLabel('E-mail').fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
}

/** Fills in a new order of one product. */
export async function fillOrder(page: Page, path: string) {
  await page.goto(`${path}/orders/new`);
  await page.getByRole('combobox', { name: 'Add a product' }).fill('TEA');
  await page.getByRole('option', { name: /Green tea/ }).click();
  await page.getByLabel('Name').fill('Anna');
}

export const create = (page: Page) => page.getByRole('button', { name: 'Create order' });
