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
      // The clock was ahead up to repaired_until_at and was set back to repaired_at. repaired_seq is the change number
      // at which the repair was done; repair_seq and repair_number are those before it, while it is under way.
      ...[
        `repaired_at ${instant}`,
        `repaired_until_at ${instant}`,
        `repaired_seq ${integer}`,
        `repair_seq ${integer}`,
        `repair_number ${integer}`,
      ].map((column) => `alter table store_clocks add column ${column}`),
    ];
  },
};
