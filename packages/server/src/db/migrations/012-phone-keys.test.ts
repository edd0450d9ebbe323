import { expect, test } from 'vitest';
import { insertCustomers } from '../../../test/rows.ts';
import { startService } from '../../../test/service.ts';
import { phoneKey } from '../../customers/contact.ts';
import { sql } from '../sql.ts';
import { phoneKeys } from './012-phone-keys.ts';

const service = await startService();

/** The keys as they were before this migration. */
const oldKey = (phone: string) =>
  phone
    .normalize('NFKC')
    .replace(/\D/g, '')
    .replace(/^8(\d{10})$/, '7$1') || null;

const phones = [
  '+84 99 123 4567',
  '＋８４ 99 123 4567',
  '(+84) 99-123-4567',
  '84991234567',
  '+7 499 123-45-67',
  '8 (499) 123-45-67',
  '+8 99',
  '+٩٧١ ٥٠ ١٢٣ ٤٥٦٧',
  '٨٤٩٩١٢٣٤٥٦٧',
  '۸ 4991234567',
  '８４９９１２３４５６７',
  'tel:+84991234567',
  'call me',
  '+',
  '',
];

test('stored keys become what is compared now, and nothing else changes', async () => {
  const { storeId } = await service.shop();
  await insertCustomers(
    service.db,
    storeId,
    phones.map((phone, index) => ({ phone, phone_key: oldKey(phone), external_id: String(index) })),
  );
  await service.db.script(async (exec) => {
    for (const statement of phoneKeys.statements(service.db.dialect)) await exec(statement);
  });
  const rows = await service.db.all<{ phone: string; phone_key: string | null; seq: number }>(
    sql`select phone, phone_key, seq from customers where store_id = ${storeId} order by seq`,
  );
  expect(rows).toEqual(phones.map((phone, index) => ({ phone, phone_key: phoneKey(phone), seq: index + 1 })));
});
