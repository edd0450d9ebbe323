import { statusGroups } from '@store-sales/contract';
import type { Transaction } from '../../db/database.ts';
import { uuid } from '../../db/uuid.ts';
import { nameKey } from '../../text/names.ts';
import { orderStatuses, paymentStatuses } from './statuses.queries.ts';

const groupNames = {
  new: 'New',
  packing: 'Packing',
  delivering: 'Delivering',
  completed: 'Completed',
  cancelled: 'Cancelled',
  returned: 'Returned',
} as const;

const payments = [
  { code: 'unpaid', name: 'Unpaid', is_paid: false, color: '#9CA3AF' },
  { code: 'paid', name: 'Paid', is_paid: true, color: '#16A34A' },
  { code: 'partially_paid', name: 'Partially paid', is_paid: false, color: '#D97706' },
  { code: 'refunded', name: 'Refunded', is_paid: false, color: '#DC2626' },
];

/** Creates the system statuses of a new store. */
export async function addSystemStatuses(tx: Transaction, storeId: string, now: number) {
  const statuses = statusGroups.map((group) => {
    const name = groupNames[group];
    return { id: uuid(now), code: group, name, name_key: nameKey(name), status_group: group, sort_order: 0 };
  });
  await orderStatuses.insertSystem(tx, storeId, statuses);
  const paymentRows = payments.map((status, index) => ({
    ...status,
    id: uuid(now),
    name_key: nameKey(status.name),
    sort_order: index,
  }));
  await paymentStatuses.insertSystem(tx, storeId, paymentRows);
}
