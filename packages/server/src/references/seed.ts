import { statusGroups } from '@store-sales/contract';
import type { Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import { nameKey } from '../names.ts';
import * as queries from './seed.queries.ts';

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
  await queries.insertDeliveryTypes(tx, deliveries);
  const types = [
    ['cash', 'Cash'],
    ['card', 'Card'],
  ].map((type) => [ownerId, uuid(now), ...type, now]);
  await queries.insertPaymentTypes(tx, types);
}

/**
 * The system statuses of a new store, and its owner's delivery and payment types, enabled. The caller holds `lockOwner`:
 * a payment type that is created at the same time is enabled here, or its creation finds this store.
 */
export async function addStoreDefaults(tx: Transaction, storeId: string, ownerId: string, now: number) {
  const statuses = statusGroups.map((group) => {
    const name = groupNames[group];
    return [storeId, uuid(now), group, name, nameKey(name), group, 0];
  });
  await queries.insertOrderStatuses(tx, statuses);
  const paymentStatuses = payments.map(({ code, name, isPaid, color }, index) => {
    return [storeId, uuid(now), code, name, nameKey(name), isPaid, color, index];
  });
  await queries.insertPaymentStatuses(tx, paymentStatuses);
  for (const kind of ['delivery', 'payment'] as const) await queries.enableAll(tx, kind, storeId, ownerId);
}

/** Serialises the creation of an owner's types and stores. */
export const lockOwner = (tx: Transaction, ownerId: string) => tx.lock(ownerId, ['types of the owner']);
