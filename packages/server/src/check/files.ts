import { sql } from '../db/sql.ts';
import { inScope, type Rule } from './rule.ts';

export const files: readonly Rule[] = [
  {
    kind: 'file_size',
    promise: 'the size of a file is that of its bytes',
    broken: (_, scope) =>
      sql`select f.store_id, f.hash as id, 'has ' || octet_length(f.bytes) || ' bytes instead of ' || f.size as message
          from files f where f.size <> octet_length(f.bytes) ${inScope(scope, 'f')}`,
  },
  {
    kind: 'file_sizes',
    promise: 'the size of the files of a store is their sum',
    broken: (_, scope) =>
      sql`select t.store_id, cast(t.store_id as text) as id, 'has files of ' || sum(t.found) || ' bytes, counted as ' || sum(t.counted) as message
          from (select f.store_id, f.size as found, 0 as counted from files f where true ${inScope(scope, 'f')}
                union all
                select s.store_id, 0, s.bytes from file_sizes s where true ${inScope(scope, 's')}) t
          group by t.store_id having sum(t.found) <> sum(t.counted)`,
  },
  {
    kind: 'file_without_picture',
    promise: 'every file belongs to a picture',
    broken: (_, scope) =>
      sql`select f.store_id, f.hash as id, 'belongs to no picture' as message from files f
          where not exists (select 1 from picture_files l where l.store_id = f.store_id and l.hash = f.hash)
            ${inScope(scope, 'f')}`,
  },
  {
    kind: 'picture_without_file',
    promise: 'every picture has a file',
    broken: (_, scope) =>
      sql`select p.store_id, cast(p.id as text) as id, 'has no file' as message from pictures p
          where not exists (select 1 from picture_files l where l.store_id = p.store_id and l.picture_id = p.id)
            ${inScope(scope, 'p')}`,
  },
  {
    kind: 'picture_place',
    promise: 'a picture belongs to a product or to the order page',
    broken: (_, scope) =>
      sql`select p.store_id, cast(p.id as text) as id, 'is shown nowhere' as message from pictures p
          where (p.place = 'product') = (p.product_id is null) ${inScope(scope, 'p')}`,
  },
  {
    kind: 'product_picture',
    promise: 'the picture of a product is the largest size of its first one',
    broken: (_, scope) =>
      sql`select r.store_id, cast(r.id as text) as id, 'shows another picture than its first one' as message
          from products r
          left join (select p.store_id, p.product_id, '/files/' || p.store_id || '/' || f.hash as url,
                       row_number() over (partition by p.store_id, p.product_id order by p.position, f.width desc) as place
                     from pictures p
                     join picture_files l on l.store_id = p.store_id and l.picture_id = p.id
                     join files f on f.store_id = l.store_id and f.hash = l.hash
                     where p.product_id is not null ${inScope(scope, 'p')}) first
            on first.store_id = r.store_id and first.product_id = r.id and first.place = 1
          where coalesce(r.picture_url, '') <> coalesce(first.url, '') ${inScope(scope, 'r')}`,
  },
];
