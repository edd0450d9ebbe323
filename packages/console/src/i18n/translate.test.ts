import { expect, test } from 'vitest';
import { en } from './en.ts';
import { ru } from './ru.ts';
import { type TextKey, translator } from './translate.ts';

const [english, russian] = [translator(en, 'en'), translator(ru, 'ru')];

test('texts are found by their path, also with dots in a key, and filled in', () => {
  expect(english('common.save')).toBe('Save changes');
  expect(english('orders.event.order.status_changed', { from: 'New', to: '{{to}}' })).toBe('Status: New → {{to}}');
  expect(russian('app.newOrders', { count: 12_345 })).toBe('Новые заказы: 12\u00a0345');
  expect(english('app.newOrders', { count: 12_345 })).toBe('New orders: 12,345');
});

test('a text that does not exist is its default, or its path', () => {
  const unknown = 'orders.nothing' as TextKey;
  expect(english(unknown, { defaultValue: 'New' })).toBe('New');
  expect(english(unknown)).toBe('orders.nothing');
});
