import { sql } from '../db/sql.ts';
import { inScope, type Rule } from './rule.ts';

export const stock: readonly Rule[] = [
  {
    kind: 'stock_quantity',
    promise: 'a quantity is the sum of its movements',
    broken: (_, scope) =>
      sql`select s.store_id, s.product_id as id, 'has ' || s.quantity || ' in a warehouse, which is not the sum of its movements' as message
          from stock s
          where s.quantity <> (select coalesce(sum(m.quantity_after - m.quantity_before), 0) from stock_movements m
                               where m.store_id = s.store_id and m.product_id = s.product_id
                                 and m.warehouse_id = s.warehouse_id)
            ${inScope(scope, 's')}`,
  },
  {
    kind: 'stock_movement',
    promise: 'a movement begins with the quantity that the one before it left',
    broken: (_, scope) =>
      sql`select store_id, product_id as id, 'has a movement that begins with ' || quantity_before || ' instead of ' || earlier as message
          from (select m.store_id, m.product_id, m.quantity_before,
                  coalesce(lag(m.quantity_after) over (partition by m.store_id, m.product_id, m.warehouse_id
                                                       order by m.seq, m.position), 0) as earlier
                from stock_movements m where true ${inScope(scope, 'm')}) m
          where earlier <> quantity_before`,
  },
  {
    kind: 'product_stock',
    // While a warehouse is being enabled or disabled, its products are counted one batch after another.
    promise: 'the stock of a product is its sum over active warehouses, and nothing if it has none anywhere',
    broken: (_, scope) =>
      sql`select p.store_id, p.id, 'shows another stock than its warehouses have' as message
          from products p
          left join (select s.store_id, s.product_id, sum(case when w.is_active then s.quantity else 0 end) as total
                     from stock s join warehouses w on w.store_id = s.store_id and w.id = s.warehouse_id
                     group by s.store_id, s.product_id) t on t.store_id = p.store_id and t.product_id = p.id
          where ((p.stock is null) <> (t.total is null) or p.stock <> t.total) ${inScope(scope, 'p')}
            and not exists (select 1 from unfinished_changes u where u.store_id = p.store_id and u.kind = 'warehouse')`,
  },
  {
    kind: 'stock_of_order',
    promise: 'an order has taken what its lines say, and nothing if it is cancelled or returned',
    broken: (_, scope) =>
      sql`select t.store_id, t.order_id as id, 'has lines for ' || sum(t.taken) || ', but has taken ' || sum(t.moved) as message
          from (select l.store_id, l.order_id, l.product_id, l.warehouse_id, l.quantity as taken, 0 as moved
                from order_lines l where l.warehouse_id is not null ${inScope(scope, 'l')}
                union all
                select m.store_id, m.order_id, m.product_id, m.warehouse_id, 0, m.quantity_before - m.quantity_after
                from stock_movements m where m.order_id is not null ${inScope(scope, 'm')}) t
          group by t.store_id, t.order_id, t.product_id, t.warehouse_id having sum(t.taken) <> sum(t.moved)
          union all
          select l.store_id, l.order_id as id, 'is closed, but its goods are not put back' as message
          from order_lines l join orders o on o.store_id = l.store_id and o.id = l.order_id
          join order_statuses s on s.store_id = o.store_id and s.id = o.status_id
          where l.warehouse_id is not null and s.status_group in ('cancelled', 'returned') ${inScope(scope, 'l')}`,
  },
];
