import type { MovementPage } from '@store-sales/contract/console';
import type { Services } from '../../services.ts';
import { movementsOfProduct } from '../../stock/product-stock.ts';
import { orderNumbers } from './stock.queries.ts';

/** The movements of a product, with the orders that caused them. */
export async function movementsWithOrders(
  services: Services,
  storeId: string,
  productId: string,
  cursor?: string,
): Promise<MovementPage> {
  const { movements, nextCursor } = await movementsOfProduct(services, storeId, productId, cursor);
  const orderIds = [...new Set(movements.flatMap(({ orderId }) => orderId ?? []))];
  const orders = orderIds.length ? await orderNumbers(services.db, storeId, orderIds) : [];
  const byId = new Map(orders.map((order) => [order.id, order]));
  return {
    movements: movements.map(({ orderId, ...movement }) => ({
      ...movement,
      order: (orderId && byId.get(orderId)) || null,
    })),
    nextCursor,
  };
}
