import { type CustomerQuery, sortOrders } from '@store-sales/contract';
import { describe, expect, test } from 'vitest';
import { listRules } from '../../test/list-rules.ts';
import { plansOf } from '../../test/plan.ts';
import { insertCustomers, insertProducts } from '../../test/rows.ts';
import { startService } from '../../test/service.ts';
import { uuid } from '../db/uuid.ts';
import { emailKey, phoneKey } from './contact.ts';
import { listCustomers } from './customers.ts';

const service = await startService({ damages: 'customers with the change numbers of the test' });
const { db } = service;
const path = '/api/v1/customers';

listRules(service, {
  path,
  otherPath: '/api/v1/products',
  insert: (storeId, stamps) => insertCustomers(db, storeId, stamps),
  insertOther: (storeId, stamps) => insertProducts(db, storeId, stamps),
});

test('however many customers were merged, a list reads as much of an index as it shows', async () => {
  const { storeId } = await service.shop();
  await insertCustomers(db, storeId, [{}]);
  const plans = (query: CustomerQuery) =>
    plansOf(db, (recording) => listCustomers(recording, service.services, storeId, query), {
      without: ['seqscan', 'bitmapscan', 'sort'],
    });
  for (const order of sortOrders) {
    const index = order.startsWith('updatedAt') ? 'updated' : 'created';
    expect(await plans({ order })).toMatch(new RegExp(`customers_${index}\\b`));
    expect(await plans({ order, with: 'merged' })).toMatch(new RegExp(`customers_all_${index}\\b`));
  }
});

const person = (phone: string, email: string, externalId: string | null = null) => ({
  ...{ phone, phone_key: phoneKey(phone), email, email_key: emailKey(email), external_id: externalId },
});

test('a customer is the same in a list and alone, whatever the texts', async () => {
  const { storeId, key } = await service.shop();
  const texts = ['"\\', '\u0001\b\f\n\r\t\u001f', '\u2028 Анна 🍵', "it's ||"];
  await insertCustomers(
    db,
    storeId,
    texts.map((name, index) => ({ name, ...person(name, name, index ? name : null) })),
  );
  const { data } = (await service.get(path, key)).body;
  expect(data).toHaveLength(texts.length);
  for (const customer of data)
    expect(JSON.stringify((await service.get(`${path}/${customer.id}`, key)).body.data)).toBe(JSON.stringify(customer));
});

describe('comparison keys', () => {
  test.each([
    ['+7 (999) 123-45-67', '79991234567'],
    ['8 999 123 45 67', '79991234567'],
    ['89991234567', '79991234567'],
    ['７９９９１２３４５６７', '79991234567'],
    ['8 800', '8800'],
    ['+8 99912345678', '899912345678'],
    ['+84 99 123 4567', '84991234567'],
    ['＋84 99 123 4567', '84991234567'],
    ['(+84) 99 123 4567', '84991234567'],
    ['tel:+84-99-123-4567', '84991234567'],
    ['84991234567', '74991234567'],
    ['tel:8-499-123-45-67', '74991234567'],
    ['0084991234567', '0084991234567'],
    ['8 999 123 45 67 доб. 8', '899912345678'],
    ['+1 800 555-83-83', '18005558383'],
    ['+٩٧١ ٥٠ ١٢٣ ٤٥٦٧', '971501234567'],
    ['۸۹۹۹۱۲۳۴۵۶۷', '79991234567'],
    ['९९९', '999'],
    ['9991234567', '9991234567'],
    ['', null],
    ['call me', null],
  ])('phone %j gives %j', (phone, key) => expect(phoneKey(phone)).toBe(key));

  test.each([
    [' Anna@Example.COM ', 'anna@example.com'],
    ['ИВАН@почта.рф', 'иван@почта.рф'],
    ['', null],
    ['  ', null],
  ])('e-mail %j gives %j', (email, key) => expect(emailKey(email)).toBe(key));
});

describe('GET /customers/{id}', () => {
  test('shows every field', async () => {
    const { storeId, key } = await service.shop();
    const time = Date.parse('2026-03-04T05:06:07.089Z');
    const [row] = await insertCustomers(db, storeId, [
      { ...person('8 999 1234567', 'A@b.c', 'c-1'), name: 'Анна', created_at: time, updated_at: time + 1 },
    ]);
    const { status, body } = await service.get(`${path}/${row?.id.toUpperCase()}`, key);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: row?.id,
        externalId: 'c-1',
        name: 'Анна',
        phone: '8 999 1234567',
        email: 'A@b.c',
        createdAt: '2026-03-04T05:06:07.089Z',
        updatedAt: '2026-03-04T05:06:07.090Z',
        mergedIntoId: null,
        erasedAt: null,
      },
    });
    expect((await service.get(path, key)).body.data).toEqual([body.data]);
  });

  test('has "" where a text is missing', async () => {
    const { storeId, key } = await service.shop();
    const [row] = await insertCustomers(db, storeId, [{ name: '' }]);
    const { body } = await service.get(`${path}/${row?.id}`, key);
    expect(body.data).toMatchObject({ externalId: '', name: '', phone: '', email: '' });
  });

  test('an unknown id, an invalid id and a customer of another store are not found', async () => {
    const mine = await service.shop();
    const other = await service.shop({ ownerId: mine.ownerId });
    const [row] = await insertCustomers(db, other.storeId, [person('1', 'x@y.z', 'ext')]);
    for (const id of [uuid(1), 'ext', '%00', row?.id]) {
      const { status, body } = await service.get(`${path}/${id}`, mine.key);
      expect([status, body.code]).toEqual([404, 'not_found']);
    }
  });
});

describe('filters', () => {
  test('phone and e-mail are compared as when matching, the external id exactly', async () => {
    const { storeId, key } = await service.shop();
    await insertCustomers(db, storeId, [
      { ...person('+7 999 123-45-67', 'Anna@Example.com', 'a'), name: 'Anna' },
      { ...person('89991234567', 'other@example.com', 'b'), name: 'Boris' },
      { ...person('', 'иван@почта.рф'), name: 'Ivan' },
    ]);
    const names = async (name: string, value: string) => {
      const { status, body } = await service.get(`${path}?filter[${name}]=${encodeURIComponent(value)}`, key);
      expect(status).toBe(200);
      return body.data.map((customer: any) => customer.name).sort();
    };
    expect(await names('phone', '8 (999) 1234567')).toEqual(['Anna', 'Boris']);
    expect(await names('phone', '+79991234567')).toEqual(['Anna', 'Boris']);
    expect(await names('phone', '9991234567')).toEqual([]);
    await insertCustomers(db, storeId, [{ ...person('+89991234567', '', 'd'), name: 'Duc' }]);
    expect(await names('phone', '+89991234567')).toEqual(['Duc']);
    expect(await names('phone', '89991234567')).toEqual(['Anna', 'Boris']);
    expect(await names('email', ' ANNA@example.COM')).toEqual(['Anna']);
    expect(await names('email', 'ИВАН@ПОЧТА.РФ')).toEqual(['Ivan']);
    expect(await names('externalId', 'b')).toEqual(['Boris']);
    expect(await names('externalId', 'B')).toEqual([]);
  });

  test('a phone without digits and an e-mail of spaces are rejected, both at once', async () => {
    const { key } = await service.shop();
    const { status, body } = await service.get(`${path}?filter[phone]=none&filter[email]=%20`, key);
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
    expect(body.errors.map((fieldError: any) => fieldError.parameter)).toEqual(['filter[phone]', 'filter[email]']);
  });
});

describe('filters by phone and e-mail, in every order', async () => {
  // Some fit more customers than a page may look at, and some fewer.
  const small = await startService({ searchLimit: 20, damages: 'customers with the change numbers of the test' });
  const shop = await small.shop();
  const phones = ['+7 999 000-00-01', '+7 999 000-00-02', '+7 999 000-00-03'];
  const emails = ['a@example.test', 'b@example.test', 'c@example.test'];
  const people = Array.from({ length: 90 }, (_, index) => ({
    name: `Customer ${index}`,
    ...person(
      phones[index % 30 ? Number(index % 7 === 0) : 2] as string,
      emails[index % 40 ? Number(index % 5 === 0) : 2] as string,
      `x${index}`,
    ),
  }));
  await insertCustomers(small.db, shop.storeId, people);

  async function walk(query: string) {
    const [found, sizes]: [string[], number[]] = [[], []];
    for (let cursor = ''; ; ) {
      const after = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const { status, body, text } = await small.get(`${path}?${query}&limit=50${after}`, shop.key);
      expect(status, text).toBe(200);
      found.push(...body.data.map(({ name }: { name: string }) => name));
      sizes.push(body.data.length);
      if (!body.page.nextCursor) return { found, sizes };
      cursor = body.page.nextCursor;
    }
  }
  const filtersOf = { phone: phones, email: emails };
  const single = (['phone', 'email'] as const).flatMap((field) =>
    filtersOf[field].map((value): [string, (each: (typeof people)[number]) => boolean] => [
      `filter[${field}]=${encodeURIComponent(value)}`,
      (each) => each[field] === value,
    ]),
  );
  const both = single.flatMap(([first, fits]) =>
    single
      .filter(([second]) => first.includes('phone') && second.includes('email'))
      .map(([second, alsoFits]): (typeof single)[number] => [
        `${first}&${second}`,
        (each) => fits(each) && alsoFits(each),
      ]),
  );

  test.each(sortOrders)('%s', async (order) => {
    for (const [filter, fits] of [...single, ...both]) {
      const { found } = await walk(`order=${order}&${filter}`);
      const expected = people.filter(fits).map(({ name }) => name);
      expect(found, filter).toEqual(order.endsWith(':asc') ? expected : expected.reverse());
    }
    expect((await walk(`order=${order}&${single[0]?.[0]}&filter[externalId]=x1`)).found).toEqual(['Customer 1']);
  });

  test('a page looks at a limited number of customers', async () => {
    const [phone, email] = [single[0]?.[0], single[3]?.[0]];
    expect((await walk(`order=updatedAt:asc&${phone}`)).sizes.length).toBe(5);
    expect((await walk(`order=updatedAt:asc&${phone}&${email}`)).sizes.length).toBe(10);
    expect((await walk(`${phone}&${email}`)).sizes.length).toBe(10);
    expect((await walk(`${phone}`)).sizes).toEqual([50, 25]);
  });
});
