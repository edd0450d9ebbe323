import { describe, expect, test } from 'vitest';
import { Person } from './person.ts';

const person = new Person(0);
person.add({ name: 'Анна Ёлкина', phone: '8 (916) 123-45-67', email: 'Anna.E@Example.com' }, ['ул. Ленина, д. 5']);
person.add({ name: 'Anna', phone: '12-345', email: '' });
person.add({ name: '', phone: '+84 99 123 4567 ext. 8', email: 'анна@почта.рф' });

describe('a text mentions the person', () => {
  test.each([
    '+7 916 123-45-67',
    '89161234567',
    '9161234567',
    '0079161234567',
    '+7(916)123.45.67',
    '+7 916 123–45–67',
    '７９１６１２３４５６７',
    '٧٩١٦١٢٣٤٥٦٧',
    'filter[phone]=%2B7%20916%20123%2045%2067&limit=1',
    'filter[phone]=+7+916+123+45+67',
    'filter%5Bphone%5D=7-916-123-45-67',
    '{"phone":"8 916 123-45-67"}',
    'tel:+79161234567;ext=1',
    'code 12345',
    '84991234567',
    'anna.e@example.com',
    'ANNA.E@EXAMPLE.COM.',
    'filter[email]=Anna.E%40example.com',
    'mailto:<anna.e@example.com>,',
    'АННА@ПОЧТА.РФ',
    'order of анна  елкина, paid',
    'gift=%D0%90%D0%BD%D0%BD%D0%B0%20%D0%81%D0%BB%D0%BA%D0%B8%D0%BD%D0%B0',
    'gift=%D0%90%D0%BD%D0%BD%D0%B0+%D0%81%D0%BB%D0%BA%D0%B8%D0%BD%D0%B0',
    'ул ленина д 5 кв 1',
  ])('%j', (text) => expect(person.mentions(text)).toBe(true));

  test.each([
    '',
    '%',
    '%zz',
    '9161234568',
    '+7 916 123-45-6',
    '123456',
    'limit=12',
    'anna',
    'joanna.e@example.com',
    'anna.e@example.com.ru',
    'анна',
    'елкина анна',
    'filter[createdAt][from]=2026-09-16T12:34:56Z',
    '@',
    'a@@b',
  ])('but not in %j', (text) => expect(person.mentions(text)).toBe(false));
});

test('is named by a whole text of one word too', () => {
  expect([' ANNA ', 'anna', 'анна елкина'].map(person.isNamed)).toEqual([true, true, true]);
  expect(['anna tea', 'tea', ''].map(person.isNamed)).toEqual([false, false, false]);
});

test('what another customer has too says nothing of the person', () => {
  const shared = new Person(0);
  shared.add({ name: '', phone: '+7 916 123-45-67', email: 'a@example.com' });
  shared.remove(new Set(['79161234567', 'a@example.com']));
  expect(shared.mentions('89161234567 a@example.com')).toBe(false);
  expect([shared.phones.size, shared.emails.size]).toEqual([0, 0]);
});

test('a text of any kind takes time in proportion to its length', () => {
  for (const piece of ['a', '1', '1 ', ' ', '@', 'a@', '%41', '+', '1-', 'анна ']) {
    const timeOf = (length: number) => {
      const text = piece.repeat(length / piece.length);
      let best = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 5; round++) {
        // Of this process, so that a busy machine makes no difference.
        const start = process.cpuUsage();
        person.mentions(text);
        const { user, system } = process.cpuUsage(start);
        best = Math.min(best, (user + system) / 1000);
      }
      return best;
    };
    // Quadratic would be 400 times as long, and seconds.
    expect(timeOf(40_000), piece).toBeLessThan(Math.max(timeOf(2000), 2) * 100);
  }
});
