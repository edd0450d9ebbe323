import type { MovementKind } from '@store-sales/contract/console';
import type { Actor } from '../actor.ts';
import type { Queryable } from '../db/database.ts';
import type { Dialect } from '../db/dialect.ts';
import { inList } from '../db/in-list.ts';
import { empty, sql } from '../db/sql.ts';
import type { RowTable } from '../db/write/plan.ts';
import { rowTable } from '../db/write/row-table.ts';

export interface QuantityRow {
  product_id: string;
  warehouse_id: string;
  quantity: number;
}

export interface WarehouseRow {
  id: string;
  code: string;
  is_active: boolean;
}

/** The quantities of these products in all warehouses. */
export const quantitiesOf = (db: Queryable, storeId: string, productIds: readonly string[]) =>
  db.all<QuantityRow>(
    sql`select product_id, warehouse_id, quantity from stock
        where store_id = ${storeId} and product_id in ${inList(db, productIds, 'uuid')}`,
  );

/** The warehouses of a store in the order in which orders take from them. */
export const warehousesOf = (db: Queryable, storeId: string) =>
  db.all<WarehouseRow>(
    sql`select id, code, is_active from warehouses where store_id = ${storeId} order by created_at, id`,
  );

interface Stored extends QuantityRow {
  store_id: string;
}

/** The last of several rows of one product and warehouse counts. */
const lastOf = <Row>(rows: readonly Row[], keyOf: (row: Row) => string) => [
  ...new Map(rows.map((row) => [keyOf(row), row])).values(),
];

const inserted = rowTable('stock', { store_id: 'uuid', product_id: 'uuid', warehouse_id: 'uuid', quantity: 'integer' });

export const quantityRows: RowTable<Stored> = {
  name: 'stock',
  insert(dialect, rows) {
    const last = lastOf(rows, ({ product_id, warehouse_id }) => `${product_id} ${warehouse_id}`);
    return sql`${inserted.insert(dialect, last)}
        on conflict (store_id, product_id, warehouse_id) do update set quantity = excluded.quantity`;
  },
};

export interface Movement {
  kind: MovementKind;
  orderId: string | null;
  actor: Actor;
}

export const movementRows = rowTable('stock_movements', {
  store_id: 'uuid',
  product_id: 'uuid',
  seq: 'integer',
  position: 'integer',
  warehouse_id: 'uuid',
  quantity_before: 'integer',
  quantity_after: 'integer',
  kind: 'text',
  order_id: 'uuid',
  actor_kind: 'text',
  actor_id: 'uuid',
  created_at: 'instant',
});

interface ProductStamp {
  store_id: string;
  id: string;
  stock: number;
  seq: number;
  at: number;
}

const stampColumns = { id: 'uuid', stock: 'integer', seq: 'integer', at: 'instant' } as const;

/** The sum of a product's stock, and the change of the product that this is. */
export const productStamps: RowTable<ProductStamp> = {
  name: 'products',
  insert(dialect: Dialect, rows) {
    const last = lastOf(rows, ({ id }) => id);
    // With `update … from`, SQLite reads all products of the store once for every row.
    if (dialect.engine === 'sqlite')
      return last.map(
        ({ store_id, id, stock, seq, at }) =>
          sql`update products set stock = ${stock}, seq = ${seq}, updated_at = ${at} where store_id = ${store_id} and id = ${id}`,
      );
    const [{ store_id }] = last as [ProductStamp];
    const stamps = last.map(({ id, stock, seq, at }) => ({ id, stock, seq, at }));
    return sql`update products set stock = v.stock, seq = v.seq, updated_at = v.at
               from ${dialect.records('v', stampColumns, stamps)}
               where products.store_id = ${store_id} and products.id = v.id`;
  },
};

/** The next products that have something in a warehouse: their stock as it is shown, and as it is. */
export const productsIn = (
  db: Queryable,
  { storeId, warehouseId }: { storeId: string; warehouseId: string },
  after: string,
  limit: number,
) =>
  db.all<{ id: string; shown: number | null; stock: number }>(
    sql`select p.id, p.stock as shown,
               (select coalesce(sum(q.quantity), 0) from stock q
                join warehouses w on w.store_id = q.store_id and w.id = q.warehouse_id
                where q.store_id = ${storeId} and q.product_id = p.id and w.is_active) as stock
        from stock s join products p on p.store_id = s.store_id and p.id = s.product_id
        where s.store_id = ${storeId} and s.warehouse_id = ${warehouseId} and s.product_id > ${after} and s.quantity <> 0
        order by s.product_id limit ${limit}`,
  );

/** What each warehouse has of a product, in the order in which orders take from them. */
export const stockOf = (db: Queryable, storeId: string, productId: string) =>
  db.all<{ id: string; name: string; is_active: boolean; quantity: number | null }>(
    sql`select w.id, w.name, w.is_active, s.quantity from warehouses w
        left join stock s on s.store_id = w.store_id and s.product_id = ${productId} and s.warehouse_id = w.id
        where w.store_id = ${storeId} order by w.created_at, w.id`,
  );

export type MovementPosition = readonly [seq: number, position: number];

export interface MovementRow {
  seq: number;
  position: number;
  warehouse: string;
  quantity_before: number;
  quantity_after: number;
  kind: MovementKind;
  order_id: string | null;
  actor_kind: Actor['kind'];
  key_name: string | null;
  owner_name: string | null;
  created_at: number;
}

/** The movements of a product, newest first. */
export const movementsOf = (
  db: Queryable,
  storeId: string,
  productId: string,
  before: MovementPosition | undefined,
  limit: number,
) =>
  db.all<MovementRow>(
    sql`select m.seq, m.position, w.name as warehouse, m.quantity_before, m.quantity_after, m.kind, m.order_id,
               m.actor_kind, k.name as key_name, o.name as owner_name, m.created_at
        from stock_movements m
        join warehouses w on w.store_id = m.store_id and w.id = m.warehouse_id
        left join api_keys k on k.store_id = m.store_id and k.id = m.actor_id
        left join owners o on o.id = m.actor_id
        where m.store_id = ${storeId} and m.product_id = ${productId}
          ${before ? sql`and (m.seq, m.position) < (${before[0]}, ${before[1]})` : empty}
        order by m.seq desc, m.position desc limit ${limit}`,
  );
