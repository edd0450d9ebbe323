import { expect, test } from 'vitest';
import { insertCustomers } from '../../../test/rows.ts';
import { startService } from '../../../test/service.ts';
import { sql } from '../sql.ts';
import { phoneKeys } from './012-phone-keys.ts';

const service = await startService();

/** Wrong keys as they were before the migration, right ones after it. */
const phones: [phone: string, before: string | null, after: string | null][] = [
  ['+84 99 123 4567', '74991234567', '84991234567'],
  ['＋８４ 99 123 4567', '74991234567', '84991234567'],
  ['(+84) 99-123-4567', '74991234567', '84991234567'],
  ['84991234567', '74991234567', '74991234567'],
  ['+7 499 123-45-67', '74991234567', '74991234567'],
  ['8 (499) 123-45-67', '74991234567', '74991234567'],
  ['+8 99', '899', '899'],
  ['+٩٧١ ٥٠ ١٢٣ ٤٥٦٧', null, '971501234567'],
  ['٨٤٩٩١٢٣٤٥٦٧', null, '74991234567'],
  ['۸ 4991234567', '4991234567', '74991234567'],
  ['８４９９１２３４５６７', '74991234567', '74991234567'],
  ['tel:+84991234567', '74991234567', '84991234567'],
  ['call me', null, null],
  ['+', null, null],
  ['', null, null],
];

test('wrong phone keys are corrected, and nothing else changes', async () => {
  const { storeId } = await service.shop();
  await insertCustomers(
    service.db,
    storeId,
    phones.map(([phone, before], index) => ({ phone, phone_key: before, external_id: String(index) })),
  );
  await service.db.script(async (exec) => {
    for (const statement of phoneKeys.statements(service.db.dialect.engine)) await exec(statement);
  });
  const rows = await service.db.all<{ phone: string; phone_key: string | null; seq: number }>(
    sql`select phone, phone_key, seq from customers where store_id = ${storeId} order by seq`,
  );
  expect(rows).toEqual(phones.map(([phone, , after], index) => ({ phone, phone_key: after, seq: index + 1 })));
});
