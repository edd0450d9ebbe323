import { join, raw, type Sql, sql } from '../db/sql.ts';
import { inScope, type Rule, type Scope } from './rule.ts';

/** Tables whose rows have a change number that a client follows. */
const synchronized = ['orders', 'products', 'customers'];

/** A statement for each of these tables, together. */
const forEach = (tables: readonly string[], select: (table: Sql, name: string) => Sql) =>
  join(
    tables.map((name) => select(raw(name), name)),
    ' union all ',
  );

export const clocks: readonly Rule[] = [
  {
    kind: 'clock_missing',
    promise: 'every store has a clock',
    broken: (_, { storeId }: Scope) =>
      sql`select s.id as store_id, s.id as id, 'has no clock' as message from stores s
          left join store_clocks c on c.store_id = s.id
          where c.store_id is null ${storeId ? sql`and s.id = ${storeId}` : sql``}`,
  },
  {
    kind: 'number_above_clock',
    promise:
      'no change number, time of a change or order number is above the clock of the store, where an event would be missed',
    broken: (_, scope) =>
      sql`${forEach(
        synchronized,
        (table, name) =>
          sql`select t.store_id, t.id, ${`a change of ${name} is above the clock of the store`} as message
              from ${table} t join store_clocks c on c.store_id = t.store_id
              where (t.seq > c.seq or t.updated_at > c.ts) ${inScope(scope, 't')}`,
      )}
      union all
      select t.store_id, t.id, 'the change number of an event is above the clock of the store' as message
      from events t join store_clocks c on c.store_id = t.store_id where t.seq > c.seq ${inScope(scope, 't')}
      union all
      select t.store_id, t.id, 'the number of an order is above the clock of the store' as message
      from orders t join store_clocks c on c.store_id = t.store_id where t.number > c.last_number ${inScope(scope, 't')}
      union all
      select t.store_id, t.id, 'an endpoint gets events from above the clock of the store only' as message
      from webhook_endpoints t join store_clocks c on c.store_id = t.store_id
      where t.subscribed_seq > c.seq ${inScope(scope, 't')}`,
  },
  {
    kind: 'number_repeated',
    promise: 'no two changes of a store have the same number',
    broken: (_, scope) =>
      sql`select store_id, min(cast(id as text)) as id, 'shares its change number ' || seq || ' with another record' as message
          from (${forEach(synchronized, (table) => sql`select t.store_id, t.id, t.seq from ${table} t where true ${inScope(scope, 't')}`)}) t
          group by store_id, seq having count(*) > 1
          union all
          select t.store_id, min(cast(t.id as text)) as id, 'shares its change number ' || t.seq || ' with another event' as message
          from events t where t.seq is not null ${inScope(scope, 't')} group by t.store_id, t.seq having count(*) > 1`,
  },
  {
    kind: 'time_went_back',
    promise: 'a later change has no earlier time, so that a client that follows updatedAt or the events misses nothing',
    broken: (_, scope) =>
      sql`${forEach(
        synchronized,
        (table) =>
          sql`select store_id, id, 'has an earlier updatedAt than a change before it' as message
              from (select t.store_id, t.id, t.updated_at,
                      lag(t.updated_at) over (partition by t.store_id order by t.seq) as earlier
                    from ${table} t where true ${inScope(scope, 't')}) t
              where earlier > updated_at`,
      )}
      union all
      select store_id, id, 'has an earlier createdAt than an event before it' as message
      from (select t.store_id, t.id, t.created_at,
              lag(t.created_at) over (partition by t.store_id order by t.seq) as earlier
            from events t where t.seq is not null ${inScope(scope, 't')}) t
      where earlier > created_at`,
  },
];
