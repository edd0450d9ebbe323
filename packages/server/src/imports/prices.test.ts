import { describe, expect, test } from 'vitest';
import { PriceScan, parsePrice } from './prices.ts';

/** Parses the prices of one file: the amount in kopecks, or the code of the error. */
function read(unit: 'units' | 'kopecks', ...cells: string[]) {
  const scan = new PriceScan(unit);
  for (const cell of cells) scan.add(cell);
  return cells.map((cell) => {
    const price = parsePrice(cell, scan.format());
    return typeof price === 'number' ? price : price.code;
  });
}

describe('prices in units', () => {
  test.each([
    ['1299', 129_900],
    ['0', 0],
    ['0,5', 50],
    [' 1299.90 ', 129_990],
    ['1299,90', 129_990],
    ['1 299,90', 129_990],
    ['1\u00a0299,90', 129_990],
    ['1\u202f299.9', 129_990],
    ['12 345 678', 1_234_567_800],
    ['1,299.90', 129_990],
    ['1.299,90', 129_990],
    ['1,299,000', 129_900_000],
    ['1.299.000,5', 129_900_050],
    ['90071992547409.91', Number.MAX_SAFE_INTEGER],
  ])('%j is %d kopecks', (cell, kopecks) => {
    expect(read('units', cell)).toEqual([kopecks]);
  });

  test.each([
    '',
    '-1',
    '+1',
    '1,',
    '.5',
    '1 29',
    '1 2999',
    '12 99,90',
    '1,299,90',
    '1.2.3',
    '0.299,90',
    '1e3',
    '₽5',
    'x',
  ])('%j is not a price', (cell) => {
    expect(read('units', cell)).toEqual(['not_price']);
  });

  test('an amount beyond 2^53 − 1 kopecks is rejected, however long', () => {
    expect(read('units', '90071992547409.92', '9'.repeat(60_000))).toEqual(['not_price', 'not_price']);
  });

  test('more than two decimals are rejected', () => {
    expect(read('units', '1.2999', '0,299', '1299,900', '1 299.900', '1,299.900')).toEqual(
      Array(5).fill('too_many_decimals'),
    );
  });

  test.each(['1,299', '1.299', '129,900'])('%j alone is ambiguous', (cell) => {
    expect(read('units', cell, '500', '1 299')).toEqual(['ambiguous_price', 50_000, 129_900]);
  });

  test('the other prices of the file tell what an ambiguous one means', () => {
    expect(read('units', '1,299', '149.90')).toEqual([129_900, 14_990]);
    expect(read('units', '1.299', '149,90')).toEqual([129_900, 14_990]);
    expect(read('units', '1,299', '1,299,000')).toEqual([129_900, 129_900_000]);
    // Here the comma begins the decimals, so this price has three of them.
    expect(read('units', '1,299', '149,90')).toEqual(['too_many_decimals', 14_990]);
  });

  test('a file that uses both separators for decimals does not tell', () => {
    expect(read('units', '1,299', '1.299', '149.90', '149,90')).toEqual([
      'ambiguous_price',
      'ambiguous_price',
      14_990,
      14_990,
    ]);
  });
});

test('prices in kopecks are integers', () => {
  expect(read('kopecks', '15000', ' 0 ', '149.90', '1 299', '1,299', '-1', '9007199254740992', '')).toEqual([
    15_000,
    0,
    ...Array(6).fill('not_kopecks'),
  ]);
});
