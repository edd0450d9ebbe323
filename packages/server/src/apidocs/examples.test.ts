import { createHmac } from 'node:crypto';
import { openapi } from '@store-sales/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { curl } from './code.ts';
import { bodyOf, Reference, type Schema } from './document.ts';
import { example } from './example.ts';
import { responses, samples } from './samples.ts';
import { verification } from './webhooks.ts';

const reference = new Reference('https://sales.example', '0');
const ajv = new Ajv2020({ strict: false, allErrors: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
ajv.addSchema({ ...openapi('https://sales.example', '0'), $id: 'document' });
const fits = (schema: Schema, value: unknown) => {
  const inDocument = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
  const validate = ajv.compile(inDocument);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
};

test('every example matches its schema, and is the same each time', () => {
  for (const { operationId, ...operation } of reference.groups.flatMap(({ operations }) => operations)) {
    const body = bodyOf(operation);
    if (body) expect(fits(body, example(reference, body)), operationId).toBe('');
    const [response] = Object.values(operation.responses);
    const schema = response?.content?.['application/json']?.schema as Schema;
    const shown = responses[operationId] ?? example(reference, schema);
    expect(fits(schema, shown), operationId).toBe('');
    expect(example(reference, schema)).toEqual(example(reference, schema));
  }
  for (const event of reference.events) {
    const payload = bodyOf(event) as Schema;
    expect(fits(payload, example(reference, payload)), event.type).toBe('');
  }
});

test('the amounts of the order add up', () => {
  const order = samples.Order as any;
  for (const { unitPrice, quantity, discount, lineTotal } of order.items)
    expect(lineTotal).toBe(unitPrice * quantity - discount);
  const { discount } = samples.OrderCreate as any;
  const sum = (name: string) => order.items.reduce((total: number, item: any) => total + item[name], 0);
  expect(order.discountTotal).toBe(sum('discount') + discount);
  expect(order.totalAmount).toBe(sum('lineTotal') - discount + order.delivery.cost - order.delivery.discount);
});

test('a field that is missing in the sample is generated', () => {
  const schema = {
    type: 'object',
    properties: { on: { type: 'string', format: 'uuid' }, list: { type: 'array', items: { enum: ['a'] } } },
  };
  expect(fits(schema, example(reference, schema))).toBe('');
});

test('curl escapes quotes', () => {
  expect(curl({ method: 'PATCH', url: "http://x/'", body: { a: 1 } })).toBe(
    `curl -X PATCH 'http://x/'\\''' \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n    "a": 1\n  }'`,
  );
});

test('the verification sample accepts only valid signatures', async () => {
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(verification)}`);
  const now = Date.parse('2026-09-27T10:00:00Z');
  const t = now / 1000;
  const body = Buffer.from('{"id":"ё"}');
  const sign = (timestamp: number, secret: string) =>
    createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  const good = sign(t, 'whsec_a');
  const check = (header: unknown, at = now) => isGenuine(body, header, 'whsec_a', at);

  expect(check(`t=${t},v1=${good}`)).toBe(true);
  expect(check(`t=${t},v1=${sign(t, 'whsec_old')},v1=${good}`)).toBe(true);
  expect(check(`t=${t},v1=${good}`, now + 300_000)).toBe(true);
  expect(check(`t=${t},v1=${good}`, now + 301_000)).toBe(false);
  expect(check(`t=${t},v1=${good}`, now - 301_000)).toBe(false);
  expect(check(`t=${t + 1},v1=${good}`)).toBe(false);
  expect(isGenuine(Buffer.from('{}'), `t=${t},v1=${good}`, 'whsec_a', now)).toBe(false);
  for (const header of [
    undefined,
    '',
    't=',
    `t=${t}`,
    `t=${t},v1`,
    `v1=${good}`,
    `t=x,v1=${good}`,
    `t=${t},v0=${good}`,
  ])
    expect(check(header), String(header)).toBe(false);
});
