import { describe, expect, it } from 'vitest';
import { kopecks, parseAmount } from './money.ts';

describe('kopecks', () => {
  it('counts an empty field, and a text that is not an amount yet, as 0', () => {
    for (const value of ['', '.', '..']) expect(kopecks(value), value).toBe(0);
    expect(kopecks(12.34)).toBe(1234);
    expect(kopecks('0.10')).toBe(10);
  });

  it('stays an integer that JavaScript represents exactly', () => {
    for (const value of [1e300, Number.POSITIVE_INFINITY, '9'.repeat(400)])
      expect(kopecks(value)).toBe(Number.MAX_SAFE_INTEGER);
  });
});

describe('parseAmount', () => {
  it.each([
    ['', ''],
    ['12', 12],
    ['12.', 12],
    ['.5', 0.5],
    ['12.50', 12.5],
    ['12,5', 12.5],
    ['12,50 ', 12.5],
    ['1234,56', 1234.56],
    ['1,234', 1234],
    ['12,345.60', 12_345.6],
    ['1,234,567', 1_234_567],
    ['1,234,56', 1234.56],
    ['1 234.5', 1234.5],
  ])('reads %j in English', (text, amount) => expect(parseAmount(text, 'en')).toBe(amount));

  it.each([
    ['12,5', 12.5],
    ['12.5', 12.5],
    [',5', 0.5],
    ['1 234,50', 1234.5],
    ['1\u00a0234', 1234],
  ])('reads %j in Russian', (text, amount) => expect(parseAmount(text, 'ru')).toBe(amount));

  it('returns any other text', () => {
    for (const text of ['.', ',', '1.234', '1.2.3', '0,234', '1,2345', '12,34.5', '9'.repeat(400)])
      expect(parseAmount(text, 'en')).toBe(text);
    for (const text of [',', '1,234', '1,234.50']) expect(parseAmount(text, 'ru')).toBe(text);
  });
});
