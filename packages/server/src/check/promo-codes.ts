import { sql } from '../db/sql.ts';
import { inScope, type Rule } from './rule.ts';

export const promoCodes: readonly Rule[] = [
  {
    kind: 'promo_code_uses',
    promise: 'a promo code was used as often as orders say that are not cancelled',
    broken: (_, scope) =>
      sql`select p.store_id, p.id, 'counts ' || p.uses || ' uses, but ' || coalesce(used.orders, 0) || ' orders use it' as message
          from promo_codes p
          left join (select o.store_id, o.promo_code_id, count(*) as orders
                     from orders o join order_statuses s on s.store_id = o.store_id and s.id = o.status_id
                     where o.promo_code_id is not null and s.status_group <> 'cancelled' ${inScope(scope, 'o')}
                     group by o.store_id, o.promo_code_id) used
            on used.store_id = p.store_id and used.promo_code_id = p.id
          where p.uses <> coalesce(used.orders, 0) ${inScope(scope, 'p')}`,
  },
];
