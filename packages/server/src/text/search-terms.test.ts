import { expect, test } from 'vitest';
import { productTerms } from '../catalog/search-terms.ts';
import { customerTerms } from '../customers/search-terms.ts';
import { searchTerms } from '../orders/write/search-terms.ts';
import { textTerms } from './search-terms.ts';

/** The terms of an order are made while its store and, on SQLite, everybody waits. */
const MAX_CPU_MS = 150;

function cpuMs(work: () => unknown) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Texts of the longest length that are expensive: this ligature is 18 letters and spaces when normalized. */
const hostile = {
  ligatures: (length: number) => '\ufdfa'.repeat(length),
  'letters between dots': (length: number) => 'a.'.repeat(length / 2),
  'letters between spaces': (length: number) => 'a b c d '.repeat(length / 8),
  'letters outside of the first plane': (length: number) => '\u{20000}.'.repeat(length / 3),
};

test.each(Object.entries(hostile))('an order of 500 lines and a long note of %s', (_, text) => {
  const blank = { address: '', city: '', region: '', street: '', house: '', flat: '', postalCode: '' };
  const order = {
    number: 1,
    externalId: text(255),
    customer: { name: text(200), phone: '', email: text(254) },
    delivery: { ...blank, address: text(500) },
    notes: text(5000),
  };
  const same = Array.from({ length: 500 }, () => ({ sku: text(240), name: text(200) }));
  const others = same.map(({ sku, name }, index) => ({ sku: `${index}${sku}`, name: `${index} ${name}` }));
  for (const items of [same, others]) {
    let terms: string[] = [];
    expect(cpuMs(() => (terms = searchTerms(order, items)))).toBeLessThan(MAX_CPU_MS);
    expect(terms.length).toBeLessThanOrEqual(400);
  }
});

test.each(Object.entries(hostile))('products and customers of %s', (_, text) => {
  const products = Array.from({ length: 100 }, (_, index) => ({
    name: text(200),
    sku: `${index}${text(240)}`,
    external_id: text(255),
  }));
  expect(cpuMs(() => products.map(productTerms))).toBeLessThan(MAX_CPU_MS);
  const customers = products.map(({ name, external_id }) => ({ name, external_id, phone: text(50), email: text(254) }));
  expect(cpuMs(() => customers.map(customerTerms))).toBeLessThan(MAX_CPU_MS);
});

test('each part of a word begins a term, of at most 32 characters', () => {
  expect(textTerms('TS-100/B Чай')).toEqual(['wts100b', 'w100b', 'wb', 'wчай']);
  expect(textTerms('ab.'.repeat(20))).toEqual(
    Array.from({ length: 20 }, (_, index) => `w${'ab'.repeat(Math.min(16, 20 - index))}`),
  );
  expect(textTerms('\u{20000}'.repeat(40))).toEqual([`w${'\u{20000}'.repeat(32)}`]);
});

test('the last words of an order with many lines are found until it has 400 terms', () => {
  const blank = { address: '', city: '', region: '', street: '', house: '', flat: '', postalCode: '' };
  const items = Array.from({ length: 90 }, (_, index) => ({ sku: `S${index}`, name: `Green tea ${index} loose leaf` }));
  const order = {
    number: 1,
    externalId: '',
    customer: { name: '', phone: '', email: '' },
    delivery: blank,
    notes: 'ring twice',
  };
  expect(searchTerms(order, items)).toContain('wtwice');
});
