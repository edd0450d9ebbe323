import { describe, expect, test } from 'vitest';
import { freeCode, slug } from './codes.ts';

describe('a code derived from a name', () => {
  test.each([
    ['Склад Москва', 'sklad-moskva'],
    ['Main', 'main'],
    ['  -- Main -- ', 'main'],
    ['Съёмный щит № 5', 'semnyy-shchit-no-5'],
    ['ЁЖИК, чаща & юла', 'ezhik-chashcha-yula'],
    ['Київ ґанок', 'kiyiv-ganok'],
    ['Café Zürich', 'cafe-zurich'],
    ['a_b', 'a-b'],
    ['２ｎｄ', '2nd'],
    ['!!!', 'fallback'],
    ['仓库', 'fallback'],
    ['🏬', 'fallback'],
  ])('%j gives %j', (name, code) => expect(slug(name, 'fallback')).toBe(code));

  test('has at most 64 characters and does not end in a dash', () => {
    expect(slug('я'.repeat(200), '')).toBe('ya'.repeat(32));
    expect(slug(`${'a'.repeat(63)} b`, '')).toBe('a'.repeat(63));
  });
});

test('a code that is taken gets a number, and has at most 64 characters', () => {
  const taken = (code: string, last: number) =>
    new Set([
      code,
      ...Array.from({ length: last }, (_, index) => freeCode(code, new Set([code])).slice(0, -1) + index),
    ]);
  expect(freeCode('main', new Set())).toBe('main');
  expect(freeCode('main', taken('main', 10))).toBe('main-10');
  expect(freeCode('a'.repeat(64), new Set(['a'.repeat(64)]))).toBe(`${'a'.repeat(62)}-2`);
  expect(freeCode('a'.repeat(64), taken('a'.repeat(64), 10))).toBe(`${'a'.repeat(61)}-10`);
});
