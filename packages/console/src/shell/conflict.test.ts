import { describe, expect, test } from 'vitest';
import { changedFields, mergeChanges } from './conflict.ts';

const base = { customer: { name: 'Anna', phone: '1' }, notes: '', events: ['a'] };

describe('changed fields', () => {
  test('only what differs is sent, nested fields one by one', () => {
    expect(changedFields(base, { ...base, customer: { name: 'Anna', phone: '2' } })).toEqual({
      customer: { phone: '2' },
    });
    expect(changedFields(base, { ...base, events: ['a', 'b'] })).toEqual({ events: ['a', 'b'] });
    expect(changedFields(base, structuredClone(base))).toEqual({});
  });
});

describe('a merge after a conflict', () => {
  test("keeps this person's fields and takes the others'", () => {
    const mine = { ...base, customer: { name: 'Anna', phone: '2' } };
    const latest = { ...base, customer: { name: 'Bella', phone: '1' } };
    expect(mergeChanges(base, mine, latest)).toEqual({
      values: { ...base, customer: { name: 'Bella', phone: '2' } },
      changes: [{ field: 'customer.name', theirs: 'Bella' }],
    });
  });

  test('lists both values where both changed a field, and nothing where they agree', () => {
    const mine = { ...base, customer: { name: 'Anna', phone: '2' }, notes: 'x' };
    const latest = { ...base, customer: { name: 'Anna', phone: '3' }, notes: 'x' };
    expect(mergeChanges(base, mine, latest)).toEqual({
      values: mine,
      changes: [{ field: 'customer.phone', theirs: '3', mine: '2' }],
    });
  });

  test('takes records that the others have added, and leaves out those they have removed', () => {
    const record = (offered: boolean) => ({ offered });
    const before: Record<string, Record<string, { offered: boolean }>> = {
      types: { a: record(true), b: record(true) },
    };
    const mine = { types: { a: record(false), b: record(false) } };
    const latest = { types: { b: record(true), c: record(true) } };
    expect(mergeChanges(before, mine, latest)).toEqual({
      values: { types: { b: record(false), c: record(true) } },
      changes: [],
    });
  });
});
