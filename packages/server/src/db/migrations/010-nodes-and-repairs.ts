import type { Dialect } from '../dialect.ts';

/** Which programs are running, and how the clock of a store was repaired. */
export const nodesAndRepairs = {
  name: 'nodes-and-repairs',
  statements({ types: { uuid, instant, integer, text }, engine }: Dialect): string[] {
    return [
      `create table nodes (
         id ${uuid} primary key,
         schema_version ${integer} not null,
         program_version ${text} not null,
         last_seen_at ${instant} not null
       )${engine === 'sqlite' ? ' strict' : ''}`,
      // JSON, see orders/repair-clock.ts: the repair that is under way, and those that are done.
      `alter table store_clocks add column repair ${text}`,
      `alter table store_clocks add column repairs ${text}`,
    ];
  },
};
