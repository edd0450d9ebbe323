import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as contract from '@store-sales/contract';
import { expect, expectTypeOf, test } from 'vitest';
import { contractTypes } from '../build/contract-types.ts';
import * as generated from './contract.generated.ts';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

test('the generated file is up to date', async () => {
  const biome = at('../../../node_modules/@biomejs/biome/bin/biome');
  const { stdout } = spawnSync(process.execPath, [biome, 'format', '--stdin-file-path=generated.ts'], {
    input: await contractTypes(),
    encoding: 'utf8',
  });
  expect(readFileSync(at('./contract.generated.ts'), 'utf8'), 'run node packages/client/build/generate.mjs').toBe(
    stdout,
  );
});

test('the operations equal the endpoint table', () => {
  const table = Object.entries(contract.endpoints).map(([name, { method, path }]) => [name, `${method} ${path}`]);
  expect(generated.routes).toEqual(Object.fromEntries(table));
});

test('the types equal those of the schemas', () => {
  expectTypeOf<generated.Order>().toEqualTypeOf<contract.Order>();
  expectTypeOf<generated.OrderCreate>().toEqualTypeOf<contract.OrderCreate>();
  expectTypeOf<generated.OrderChange>().toEqualTypeOf<contract.OrderChange>();
  expectTypeOf<generated.Product>().toEqualTypeOf<contract.Product>();
  expectTypeOf<generated.Customer>().toEqualTypeOf<contract.Customer>();
  expectTypeOf<generated.Credentials>().toEqualTypeOf<contract.Credentials>();
  expectTypeOf<generated.DeliveryType>().toEqualTypeOf<contract.DeliveryType>();
  expectTypeOf<generated.PaymentType>().toEqualTypeOf<contract.PaymentType>();
  expectTypeOf<generated.OrderStatus>().toEqualTypeOf<contract.OrderStatus>();
  expectTypeOf<generated.PaymentStatus>().toEqualTypeOf<contract.PaymentStatus>();
  expectTypeOf<generated.Warehouse>().toEqualTypeOf<contract.Warehouse>();
  expectTypeOf<generated.Category>().toEqualTypeOf<contract.Category>();
  expectTypeOf<generated.Problem>().toEqualTypeOf<contract.Problem>();
  expectTypeOf<generated.OrderEvent>().toEqualTypeOf<contract.OrderEvent>();
});
