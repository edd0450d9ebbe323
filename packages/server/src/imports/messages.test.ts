import type { ImportError } from '@store-sales/contract/console';
import { expect, test } from 'vitest';
import { messageOf } from './messages.ts';

test.each<[column: string | null, ImportError, string]>([
  ['name', { code: 'blank', params: {} }, 'name must not be empty'],
  ['name', { code: 'too_long', params: { max: 200 } }, 'name must have at most 200 characters'],
  ['name', { code: 'nul', params: {} }, 'name must not contain a NUL character'],
  [
    'price',
    { code: 'not_kopecks', params: { value: '1,5' } },
    'price must be a whole number of kopecks, such as 15000 for 150.00; found "1,5"',
  ],
  [
    'price',
    { code: 'not_price', params: { value: '5 ₽' } },
    'price must be a price, such as 1299.90 or 1 299,90; found "5 ₽"',
  ],
  [
    'price',
    { code: 'ambiguous_price', params: { value: '1,299' } },
    'price "1,299" is ambiguous, because no other price tells whether its separator begins the decimals; write it with two decimals or without separators',
  ],
  [
    'price',
    { code: 'too_many_decimals', params: { value: '1.2999', max: 2 } },
    'price must have at most 2 decimals; found "1.2999"',
  ],
  [
    'email',
    { code: 'not_email', params: { value: 'x' } },
    'email must be an e-mail address, such as name@example.com; found "x"',
  ],
  [
    'imageUrl',
    { code: 'not_image_url', params: { value: 'ftp://x' } },
    'imageUrl must be an https address, or a path that begins with one /; found "ftp://x"',
  ],
  [
    'externalId',
    { code: 'duplicate_row', params: { line: 12 } },
    'externalId is the same as in line 12; a record can have only one row',
  ],
  [
    'isActive',
    { code: 'not_boolean', params: { value: 'yes' } },
    'isActive must be true, false, yes, no, 1 or 0; found "yes"',
  ],
  ['phone', { code: 'no_digit', params: {} }, 'phone must contain at least one digit'],
  ['price', { code: 'required', params: {} }, 'price is required for a new record'],
  [
    'parentExternalId',
    { code: 'unknown_category', params: { value: 'tea' } },
    'parentExternalId matches no category: "tea"',
  ],
  [
    'parentExternalId',
    { code: 'rejected_category', params: { value: 'tea' } },
    'parentExternalId names a category whose own row is rejected: "tea"',
  ],
  [
    'parentExternalId',
    { code: 'category_cycle', params: { path: 'a → b → a' } },
    'parentExternalId would put the category below itself: "a → b → a"',
  ],
  ['sku', { code: 'sku_taken', params: { value: 'A', product: 'b' } }, 'sku "A" belongs to another product: "b"'],
  [null, { code: 'key_required', params: { columns: ['externalId', 'sku'] } }, 'externalId or sku is required'],
  [null, { code: 'category_limit', params: { max: 10_000 } }, 'a store can have at most 10,000 categories'],
  [null, { code: 'cell_count', params: { found: 3, expected: 7 } }, 'the row has 3 cells, the header has 7'],
  [null, { code: 'row_too_long', params: { max: 65_536 } }, 'the row is longer than 65,536 characters'],
  [null, { code: 'unclosed_quote', params: {} }, 'a quote is never closed'],
  [
    null,
    { code: 'text_after_quote', params: {} },
    'there is text after a closing quote; a quote inside a quoted cell must be doubled',
  ],
])('%s %j', (column, error, message) => {
  expect(messageOf({ line: 2, column, ...error })).toBe(message);
});
