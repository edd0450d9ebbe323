import type { Dialect } from '../db/dialect.ts';
import { type Searched, termTables } from '../db/search/record-terms.ts';
import { join, raw, sql } from '../db/sql.ts';
import { inScope, type Rule } from './rule.ts';

/** The stored terms of the record `t`, as a column. */
export const termsOf = ({ joined }: Dialect, records: Searched) =>
  sql`(select ${joined(raw('s.term'))} from ${raw(termTables[records])} s
        where s.store_id = t.store_id and s.record_id = t.id) as terms`;

export const hasTerms = ({ terms }: { terms: string | null }, expected: readonly string[]) =>
  (terms ?? '').split(',').sort().join() === [...expected].sort().join();

export const searchOfRecords: readonly Rule[] = [
  {
    kind: 'search_without_record',
    promise: 'no product or customer is found that does not exist',
    broken: (_, scope) =>
      join(
        (Object.keys(termTables) as Searched[]).map(
          (records) =>
            sql`select distinct s.store_id, s.record_id as id, ${`a search term in ${records} of a record that does not exist`} as message
                from ${raw(termTables[records])} s
                where not exists (select 1 from ${raw(records)} r where r.store_id = s.store_id and r.id = s.record_id)
                ${inScope(scope, 's')}`,
        ),
        ' union all ',
      ),
  },
];
