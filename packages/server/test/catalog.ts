import { tick } from '../src/db/clock.ts';
import { sql } from '../src/db/sql.ts';
import { uuid } from '../src/db/uuid.ts';
import { nameKey } from '../src/names.ts';
import type { Service } from './service.ts';

interface Details {
  sku?: string;
  externalId?: string;
  name?: string;
  price?: number;
  isActive?: boolean;
}

/** Puts a product into the catalog, which has no way in through the API. */
export async function addProduct({ db, clock }: Service, storeId: string, details: Details = {}) {
  const { sku = null, externalId = null, name = 'Tea', price = 15_000, isActive = true } = details;
  const id = uuid(clock.now);
  await db.transaction(async (tx) => {
    const { at, seq } = await tick(tx, storeId, clock.now);
    await tx.run(
      sql`insert into products (store_id, id, external_id, sku, name, name_key, price, is_active, created_at, updated_at, seq)
          values (${storeId}, ${id}, ${externalId}, ${sku}, ${name}, ${nameKey(name)}, ${price}, ${isActive}, ${at}, ${at}, ${seq})`,
    );
  });
  return id;
}
