import { beforeAll, describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';
import { customerTerms } from './search-terms.ts';

const service = await startService();

async function newShop() {
  const owner = await signedInOwner(service);
  const customers = `${owner.path}/customers`;
  const found = async (q: string) =>
    (await owner.visitor.get(`${customers}?${new URLSearchParams({ q })}`)).body.data.map(({ name }: any) => name);
  const add = async (body: object) => (await owner.visitor.post(customers, body)).body;
  const upload = async (text: string) =>
    service.send('POST', `/console/api${customers}/import`, {
      headers: {
        origin: service.url,
        'content-type': 'text/csv',
        cookie: [...owner.visitor.jar].map((pair) => pair.join('=')).join('; '),
      },
      rawBody: text,
    });
  return { ...owner, customers, found, add, upload };
}
type Shop = Awaited<ReturnType<typeof newShop>>;

const anna = {
  name: "Anna-Maria O'Brien",
  phone: '8 (916) 123-45-67',
  email: 'Anna.Brien@mail.example.com',
  externalId: 'CRM-77/b',
};

describe('one customer', () => {
  let shop: Shop;
  beforeAll(async () => {
    shop = await newShop();
    await shop.add(anna);
    await (await newShop()).add(anna);
    await shop.add({ name: 'Пётр Ёжиков' });
  });

  test.each([
    ['maria', [anna.name]],
    ['brien anna', [anna.name]],
    ["o'brien", [anna.name]],
    ['петр', ['Пётр Ёжиков']],
    ['ЕЖИК петр', ['Пётр Ёжиков']],
    ['anna.brien@mail.example.com', [anna.name]],
    ['anna.b', [anna.name]],
    ['@mail.example', [anna.name]],
    ['+7 916 123', [anna.name]],
    ['8 916 123-45', [anna.name]],
    ['89161234567', [anna.name]],
    ['79161234567', [anna.name]],
    ['123-45', [anna.name]],
    ['4567', [anna.name]],
    ['maria 4567', [anna.name]],
    ['crm-77', [anna.name]],
    ['77/B', [anna.name]],
    ['+8 916 123', []],
    ['nnamaria', []],
    ['67890', []],
    ['anna петр', []],
    ['"*', []],
  ])('%j', async (q, names) => expect(await shop.found(q)).toEqual(names));

  test('a mistyped letter is suggested', async () => {
    const { body } = await shop.visitor.get(`${shop.customers}?q=anna obrein`);
    expect(body).toMatchObject({ data: [], suggestion: 'anna obrien' });
  });

  test('is found by the palette too', async () => {
    const { body } = await shop.visitor.get(`${shop.path}/search?q=4567 anna`);
    expect(body.customers).toMatchObject([{ name: anna.name }]);
  });
});

test('the search follows changes, imports, merges and what orders fill in', async () => {
  const shop = await newShop();
  const { visitor, path, customers, found, add, upload } = shop;
  const { id } = await add({ name: 'Before', phone: '+7 900 000-00-01' });
  await visitor.patch(`${customers}/${id}`, { name: 'After', phone: '+7 900 000-22-22' });
  expect([await found('before'), await found('0000001'), await found('after 2222')]).toEqual([[], [], ['After']]);
  await upload('externalId,phone,name\nx-1,+7 900 000-22-22,Imported\nx-2,,New\n');
  expect([await found('after'), await found('imported x-1'), await found('x-2')]).toEqual([[], ['Imported'], ['New']]);

  // An order fills in what is missing and overwrites nothing.
  await addProduct(service, shop.storeId, { sku: 'TEA' });
  const order = (customer: object) =>
    visitor.post(`${path}/orders`, { items: [{ sku: 'TEA', quantity: 1 }], customer });
  await order({ name: 'Ignored', phone: '+7 900 000-22-22', email: 'filled@example.org' });
  await order({ name: 'Created', phone: '+7 900 333-44-55' });
  expect([await found('ignored'), await found('imported filled')]).toEqual([[], ['Imported']]);
  expect(await found('created 3344')).toEqual(['Created']);

  const { id: merged } = await add({ email: 'merged@example.org', externalId: 'm-1' });
  const [{ id: kept }] = (await visitor.get(`${customers}?q=created`)).body.data;
  expect((await visitor.post(`${customers}/${kept}/merge`, { otherId: merged })).status).toBe(200);
  expect([await found('merged m-1'), await found('created')]).toEqual([['Created'], ['Created']]);
});

test('two orders that fill in the same customer at the same time leave the terms of the winner', async () => {
  const { visitor, path, storeId, customers, found, add } = await newShop();
  await addProduct(service, storeId, { sku: 'TEA' });
  const order = (customer: object) =>
    visitor.post(`${path}/orders`, { items: [{ sku: 'TEA', quantity: 1 }], customer });
  for (let round = 0; round < 5; round++) {
    const { id } = await add({ phone: `+7 900 111-00-0${round}`, email: `r${round}@example.org` });
    await Promise.all([
      order({ name: `Petra${round}`, phone: `+7 900 111-00-0${round}` }),
      order({ name: `Olga${round}`, email: `r${round}@example.org` }),
    ]);
    const { name } = (await visitor.get(`${customers}/${id}`)).body;
    const both = [...(await found(`petra${round}`)), ...(await found(`olga${round}`))];
    expect(both).toEqual([name]);
  }
});

test('a customer with long texts has a limited number of terms', () => {
  const long = 'x.'.repeat(2000);
  const terms = customerTerms({ name: long, phone: '1'.repeat(60), email: long, external_id: 'я '.repeat(2000) });
  expect(terms.length).toBeLessThanOrEqual(3 * 32 + 20);
  expect(Math.max(...terms.map((term) => term.length))).toBeLessThanOrEqual(33);
});
