import type { SaveSeller, Seller } from '@store-sales/contract/console';
import type { Actor } from '../actor.ts';
import type { Database, Queryable } from '../db/database.ts';
import { FieldErrors } from '../domain-error.ts';
import { differences, recordHistory } from '../history/history.ts';
import { mailAddress } from '../mail/mail-address.ts';
import * as queries from './customer-mail.queries.ts';

export async function readSeller(db: Queryable, storeId: string): Promise<Seller> {
  const row = await queries.findSeller(db, storeId);
  return {
    name: row?.name ?? '',
    address: row?.address ?? '',
    taxNumber: row?.tax_number ?? '',
    email: row?.email ?? '',
  };
}

/** Who sells: on documents, and where customers answer to. */
export async function saveSeller(
  db: Database,
  store: { id: string; name: string },
  sent: SaveSeller,
  actor: Actor,
  now: number,
): Promise<Seller> {
  const errors = new FieldErrors();
  const email = sent.email.trim();
  if (email && !mailAddress(email)) errors.add('/email', 'invalid_format', 'must be an address that can be mailed to');
  errors.throwIfAny();
  const after = { name: sent.name.trim(), address: sent.address.trim(), taxNumber: sent.taxNumber.trim(), email };
  await db.transaction(
    async (tx) => {
      await tx.lock(store.id, ['seller']);
      const before = await readSeller(tx, store.id);
      const fields = { name: 'sellerName', address: 'sellerAddress', taxNumber: 'sellerTaxNumber', email: 'email' };
      const details = differences(before, after, fields);
      if (!details) return;
      await queries.saveSeller(tx, store.id, { ...after, tax_number: after.taxNumber }, now);
      const subject = { kind: 'store', id: store.id, name: store.name } as const;
      await recordHistory(tx, { scopeId: store.id, actor, action: 'changed', subject, details, at: now });
    },
    { storeId: store.id },
  );
  return after;
}
