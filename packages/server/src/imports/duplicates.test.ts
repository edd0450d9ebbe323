import { expect, test } from 'vitest';
import { LineTable } from './duplicates.ts';

test('300,000 keys keep their first line, in 16 MB', () => {
  const lines = new LineTable();
  const keys = Array.from({ length: 300_000 }, (_, index) => `key-${index}`);
  const before = process.memoryUsage().arrayBuffers;
  for (const [index, key] of keys.entries()) {
    if (lines.get(key)) throw new Error(`${key} is taken for another key`);
    lines.add(key, index + 2);
    lines.add(key, 1);
  }
  for (const [index, key] of keys.entries()) if (lines.get(key) !== index + 2) throw new Error(`${key} is lost`);
  expect(lines.get('other')).toBe(0);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
});
