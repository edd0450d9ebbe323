import { describe, expect, it } from 'vitest';
import { kopecks } from './money.ts';

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
