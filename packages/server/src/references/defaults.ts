import { statusGroups } from '@store-sales/contract';
import type { Transaction } from '../db/database.ts';
import { rows, sql } from '../db/sql.ts';
import { uuid } from '../db/uuid.ts';
import { nameKey } from './names.ts';

const groupNames = {
  new: 'New',
  packing: 'Packing',
  delivering: 'Delivering',
  completed: 'Completed',
  cancelled: 'Cancelled',
  returned: 'Returned',
} as const;

const payments = [
  { code: 'unpaid', name: 'Unpaid', isPaid: false, color: '#9CA3AF' },
  { code: 'paid', name: 'Paid', isPaid: true, color: '#16A34A' },
  { code: 'partially_paid', name: 'Partially paid', isPaid: false, color: '#D97706' },
  { code: 'refunded', name: 'Refunded', isPaid: false, color: '#DC2626' },
];

/** The delivery and payment types that a new owner starts with. */
export async function addOwnerDefaults(tx: Transaction, ownerId: string, now: number) {
  const deliveries = [
    ['pickup', 'Pickup', 'pickup', null],
    ['courier', 'Courier', 'courier', null],
    ['carrier', 'CDEK', 'carrier', 'cdek'],
  ].map((type) => [ownerId, uuid(now), ...type, now]);
  await tx.run(
    sql`insert into delivery_types (owner_id, id, code, name, kind, provider, created_at) values ${rows(deliveries)}`,
  );
  const types = [
    ['cash', 'Cash'],
    ['card', 'Card'],
  ].map((type) => [ownerId, uuid(now), ...type, now]);
  await tx.run(sql`insert into payment_types (owner_id, id, code, name, created_at) values ${rows(types)}`);
}

/** The system statuses of a new store, and its owner's delivery and payment types, enabled. */
export async function addStoreDefaults(tx: Transaction, storeId: string, ownerId: string, now: number) {
  const statuses = statusGroups.map((group) => {
    const name = groupNames[group];
    return [storeId, uuid(now), group, name, nameKey(name), group, 0];
  });
  await tx.run(
    sql`insert into order_statuses (store_id, id, code, name, name_key, status_group, sort_order)
        values ${rows(statuses)}`,
  );
  const paymentStatuses = payments.map(({ code, name, isPaid, color }, index) => {
    return [storeId, uuid(now), code, name, nameKey(name), isPaid, color, index];
  });
  await tx.run(
    sql`insert into payment_statuses (store_id, id, code, name, name_key, is_paid, color, sort_order)
        values ${rows(paymentStatuses)}`,
  );
  for (const kind of ['delivery', 'payment'] as const) await enableAll(tx, kind, storeId, ownerId);
}

const enableAll = (tx: Transaction, kind: 'delivery' | 'payment', storeId: string, ownerId: string) =>
  tx.run(
    kind === 'delivery'
      ? sql`insert into store_delivery_types (store_id, delivery_type_id, is_active)
            select s.id, t.id, true from delivery_types t join stores s on s.id = ${storeId} where t.owner_id = ${ownerId}`
      : sql`insert into store_payment_types (store_id, payment_type_id, is_active)
            select s.id, t.id, true from payment_types t join stores s on s.id = ${storeId} where t.owner_id = ${ownerId}`,
  );
