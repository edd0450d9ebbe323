import { describe, expect, test } from 'vitest';
import { numbered, slug } from './codes.ts';

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

test('a code with a number has at most 64 characters', () => {
  expect(numbered('main', 1)).toBe('main');
  expect(numbered('main', 12)).toBe('main-12');
  expect(numbered('a'.repeat(64), 2)).toBe(`${'a'.repeat(62)}-2`);
  expect(numbered('a'.repeat(64), 100)).toBe(`${'a'.repeat(60)}-100`);
});
