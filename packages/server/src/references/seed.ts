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

/** The default delivery and payment types of a new owner. */
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
 * Creates the system statuses of a new store and enables its owner's delivery and payment types. The caller holds
 * `lockOwner`, so a payment type created concurrently is enabled either here or by its own creation.
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

/** Serializes the creation of an owner's types and stores. */
export const lockOwner = (tx: Transaction, ownerId: string) => tx.lock(ownerId, ['types of the owner']);
