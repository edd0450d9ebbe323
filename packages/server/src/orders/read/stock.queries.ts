import type { Queryable } from '../../db/database.ts';
import { inList } from '../../db/in-list.ts';
import { sql } from '../../db/sql.ts';

export const orderNumbers = (db: Queryable, storeId: string, ids: readonly string[]) =>
  db.all<{ id: string; number: number }>(
    sql`select id, number from orders where store_id = ${storeId} and id in ${inList(db, ids, 'uuid')}`,
  );

interface ShortageRow {
  product_id: string;
  name: string;
  warehouse: string;
  quantity: number;
}

/** Of an order that is neither completed nor closed: products of which the warehouse of their line is below zero. */
export const shortages = (db: Queryable, storeId: string, orderId: string) =>
  db.all<ShortageRow>(
    sql`select p.id as product_id, p.name, w.name as warehouse, s.quantity
        from orders o
        join order_statuses st on st.store_id = o.store_id and st.id = o.status_id
        join order_lines l on l.store_id = o.store_id and l.order_id = o.id
        join stock s on s.store_id = l.store_id and s.product_id = l.product_id and s.warehouse_id = l.warehouse_id
        join warehouses w on w.store_id = s.store_id and w.id = s.warehouse_id
        join products p on p.store_id = l.store_id and p.id = l.product_id
        where o.store_id = ${storeId} and o.id = ${orderId} and s.quantity < 0
          and st.status_group in ('new', 'packing', 'delivering')
        group by p.id, p.name, w.id, w.name, s.quantity order by min(l.position)`,
  );
