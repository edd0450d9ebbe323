import type { Transaction } from '../db/database.ts';
import { uuid } from '../db/uuid.ts';
import * as queries from './seed.queries.ts';

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
 * Enables the owner's delivery and payment types in a new store. The caller holds `lockAccount`, so a payment type created
 * concurrently is enabled either here or by its own creation.
 */
export async function enableOwnerTypes(tx: Transaction, storeId: string, ownerId: string) {
  for (const kind of ['delivery', 'payment'] as const) await queries.enableAll(tx, kind, storeId, ownerId);
}
