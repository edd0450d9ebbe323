import type { Movement, ProductStock } from '@store-sales/contract/console';
import type { Static } from 'typebox';
import type { Queryable } from '../db/database.ts';
import type { CursorScope } from '../db/lists/cursor.ts';
import type { Services } from '../services.ts';
import { iso } from '../time/instant.ts';
import * as queries from './stock.queries.ts';

const PAGE_SIZE = 20;

/** What each warehouse of the store has of a product. */
export async function stockOfProduct(
  db: Queryable,
  storeId: string,
  productId: string,
): Promise<Static<typeof ProductStock>> {
  const found = await queries.stockOf(db, storeId, productId);
  return found.map(({ id, name, is_active, quantity }) => ({ warehouseId: id, name, isActive: is_active, quantity }));
}

/** A movement that names its order by id. */
type StoredMovement = Omit<Movement, 'order'> & { orderId: string | null };

/** A page of the movements of a product, newest first. */
export async function movementsOfProduct(
  { db, cursors }: Pick<Services, 'db' | 'cursors'>,
  storeId: string,
  productId: string,
  cursor?: string,
): Promise<{ movements: StoredMovement[]; nextCursor: string | null }> {
  const scope: CursorScope = { resource: `stock_movements ${productId}`, storeId, order: 'createdAt:desc' };
  const before = cursor === undefined ? undefined : (cursors.read(scope, cursor) as queries.MovementPosition);
  const rows = await queries.movementsOf(db, storeId, productId, before, PAGE_SIZE + 1);
  const page = rows.slice(0, PAGE_SIZE);
  const last = rows.length > PAGE_SIZE ? page.at(-1) : undefined;
  return { movements: page.map(toMovement), nextCursor: last ? cursors.write(scope, [last.seq, last.position]) : null };
}

const toMovement = (row: queries.MovementRow): StoredMovement => ({
  at: iso(row.created_at),
  warehouse: row.warehouse,
  before: row.quantity_before,
  after: row.quantity_after,
  kind: row.kind,
  orderId: row.order_id,
  actor: { kind: row.actor_kind, name: row.key_name ?? row.owner_name ?? '' },
});
