import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as contract from '@store-sales/contract';
import { expect, expectTypeOf, test } from 'vitest';
import { render } from '../build/render.ts';
import * as made from './contract.generated.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test('the generated file is the contract of today', () => {
  const biome = at('../../../node_modules/@biomejs/biome/bin/biome');
  const { stdout } = spawnSync(process.execPath, [biome, 'format', '--stdin-file-path=made.ts'], {
    input: render(),
    encoding: 'utf8',
  });
  expect(readFileSync(at('./contract.generated.ts'), 'utf8'), 'run node packages/client/build/generate.mjs').toBe(
    stdout,
  );
});

test('the operations are those of the table', () => {
  const table = Object.entries(contract.endpoints).map(([name, { method, path }]) => [name, `${method} ${path}`]);
  expect(made.operations).toEqual(Object.fromEntries(table));
});

test('the types are those of the schemas', () => {
  expectTypeOf<made.Order>().toEqualTypeOf<contract.Order>();
  expectTypeOf<made.OrderCreate>().toEqualTypeOf<contract.OrderCreate>();
  expectTypeOf<made.OrderChange>().toEqualTypeOf<contract.OrderChange>();
  expectTypeOf<made.Product>().toEqualTypeOf<contract.Product>();
  expectTypeOf<made.Customer>().toEqualTypeOf<contract.Customer>();
  expectTypeOf<made.Credentials>().toEqualTypeOf<contract.Credentials>();
  expectTypeOf<made.DeliveryType>().toEqualTypeOf<contract.DeliveryType>();
  expectTypeOf<made.PaymentType>().toEqualTypeOf<contract.PaymentType>();
  expectTypeOf<made.OrderStatus>().toEqualTypeOf<contract.OrderStatus>();
  expectTypeOf<made.PaymentStatus>().toEqualTypeOf<contract.PaymentStatus>();
  expectTypeOf<made.Warehouse>().toEqualTypeOf<contract.Warehouse>();
  expectTypeOf<made.Category>().toEqualTypeOf<contract.Category>();
  expectTypeOf<made.Problem>().toEqualTypeOf<contract.Problem>();
  expectTypeOf<made.OrderEvent>().toEqualTypeOf<contract.OrderEvent>();
});
