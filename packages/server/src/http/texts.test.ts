import { addressFields } from '@store-sales/contract';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { type Reply, startService } from '../../test/service.ts';

/** Every text is stored unchanged, or rejected with its pointer, on both engines. */
const service = await startService();
const { key, storeId } = await service.shop();
await addProduct(service, storeId, { sku: 'TEA' });
const created = await service.post('/api/v1/orders', { items: [{ sku: 'TEA', quantity: 1 }] }, key);
const orderPath = `/api/v1/orders/${created.body.data.id}`;
const deliveryPath = `/api/v1/references/delivery-types/${
  (await service.get('/api/v1/references/delivery-types', key)).body.data[0].id
}`;

/** Letters that normalization expands: 200 of them make the largest index entries. */
const expanding = Array.from({ length: 180 }, (_, index) => String.fromCodePoint(0x3300 + ((index * 37) % 88))).join(
  '',
);

const accepted: Record<string, string> = {
  quotes: `"'\`\\ \\u0041 \\n %s $1 ? :a`,
  'control characters': `a${String.fromCharCode(...Array.from({ length: 31 }, (_, index) => index + 1))}\u007f\u0085z`,
  'line separators': 'a\u2028b\u2029c',
  'characters of four bytes': '😀𝕏\u{10FFFF}',
  'an emoji of several code points': '👨‍👩‍👧‍👦🏽',
  'right to left': 'a \u202Eשלום\u202C \u2067مرحبا\u2069 z',
  'composed é': 'caf\u00e9',
  'decomposed é': 'cafe\u0301',
  'a byte order mark': 'a\uFEFFb',
  noncharacters: 'a\uFFFEb\uFFFFc\uFDD0d',
  'Turkish and German letters': 'İıſẞß',
  'a prototype name': '__proto__',
  'a JSON literal': 'null',
  JSON: '{"a":[1,2]}',
  SQL: "'; drop table orders; --",
  HTML: '<script>alert(1)</script>&amp;',
  'a spreadsheet formula': '=1+1',
  'letters that normalization expands': expanding,
};

const rejected: Record<string, string> = {
  NUL: 'a\0b',
  'a lone high surrogate': 'a\ud83d',
  'a lone low surrogate': '\ude00b',
  'surrogates in the wrong order': '\ude00\ud83d',
};

interface Field {
  name: string;
  max: number;
  pointer: string;
  send(text: string): Promise<Reply>;
  /** Reads the stored text. */
  read(record: any): string;
  /** Whether the field can have the text; any if left out. */
  isPossible?(text: string): boolean;
}

const inBody = (body: (text: string) => unknown, pointer: string) => ({
  pointer,
  read: (record: any) =>
    pointer
      .slice(1)
      .split('/')
      .reduce((value, step) => value[step], record) as string,
  body,
});
const orderFields = (send: (body: unknown) => Promise<Reply>, prefix: string): Field[] =>
  [
    { max: 5000, ...inBody((notes) => ({ notes }), '/notes') },
    { max: 200, ...inBody((name) => ({ customer: { name } }), '/customer/name') },
    { max: 50, ...inBody((phone) => ({ customer: { phone } }), '/customer/phone') },
    // The part before the `@`, which has no spaces and control characters.
    {
      max: 252,
      ...inBody((local) => ({ customer: { email: `${local}@x` } }), '/customer/email'),
      read: (record: any) => record.customer.email.replace(/@x$/, '') as string,
      isPossible: (text: string) => !/[\s\p{Cc}]/u.test(text),
    },
    ...addressFields.map((field) => ({
      max: 500,
      ...inBody((text) => ({ delivery: { [field]: text } }), `/delivery/${field}`),
    })),
  ].map(({ body, ...field }) => ({ ...field, name: `${prefix} ${field.pointer}`, send: (text) => send(body(text)) }));

const create = (body: unknown) =>
  service.post('/api/v1/orders', { items: [{ sku: 'TEA', quantity: 1 }], ...(body as object) }, key);
const reference = (name: string, field: string, max: number, rest: object = {}): Field => ({
  name: `new ${name} /${field}`,
  max,
  pointer: `/${field}`,
  send: (text) => service.post(`/api/v1/references/${name}`, { name: 'n', ...rest, [field]: text }, key),
  read: (record) => record[field],
});

const fields: Field[] = [
  ...orderFields(create, 'new order'),
  ...[
    { max: 255, ...inBody((externalId) => ({ externalId }), '/externalId') },
    { max: 100, ...inBody((promoCode) => ({ promoCode }), '/promoCode') },
  ].map(({ body, ...field }) => ({
    ...field,
    name: `new order ${field.pointer}`,
    send: (text: string) => create(body(text)),
  })),
  ...orderFields((body) => service.patch(orderPath, body, key), 'changed order'),
  reference('warehouses', 'name', 200),
  reference('warehouses', 'address', 2000),
  reference('warehouses', 'city', 200),
  reference('payment-types', 'name', 200),
  reference('payment-types', 'description', 2000),
  reference('payment-statuses', 'name', 200),
  reference('order-statuses', 'name', 200, { group: 'packing' }),
  {
    name: 'changed delivery type /name',
    max: 200,
    pointer: '/name',
    send: (name) => service.patch(deliveryPath, { name }, key),
    read: (record) => record.name,
  },
];

describe.each(fields.map((field) => [field.name, field] as const))('%s', (_name, field) => {
  const { max, pointer, send, read, isPossible = () => true } = field;
  test('stores texts of every kind unchanged', async () => {
    for (const [kind, text] of Object.entries(accepted)) {
      const short = [...text].slice(0, max).join('');
      if (!isPossible(short)) continue;
      const reply = await send(short);
      // Only a name that is equal to an existing one may be rejected.
      if (reply.body.code === 'name_taken') expect(kind).toMatch(/é$/);
      else expect([kind, reply.status < 300 && read(reply.body.data)]).toEqual([kind, short]);
    }
  });

  test('accepts its maximum length in characters of four bytes, and not one more', async () => {
    const longest = '\u{1F600}'.repeat(max);
    const reply = await send(longest);
    expect([reply.status < 300, read(reply.body.data)]).toEqual([true, longest]);
    const { status, body } = await send(`${longest}x`);
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer, code: 'too_long' })]]);
  });

  test.each(Object.entries(rejected))('rejects %s with its pointer', async (_kind, text) => {
    const { status, body } = await send(text);
    expect([status, body.errors]).toEqual([422, [expect.objectContaining({ pointer, code: 'invalid_characters' })]]);
  });
});

test('records are found by such external ids', async () => {
  for (const text of Object.values(accepted)) {
    const externalId = [...text].slice(0, 255).join('');
    const first = (await create({ externalId })).body.data.id;
    const found = await service.get(`/api/v1/orders?filter[externalId]=${encodeURIComponent(externalId)}`, key);
    expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([first]);
  }
});
