import { columnTypes, type Engine, strict } from './frozen.ts';

/** The running processes, and the repairs of store clocks. */
export const nodesAndRepairs = {
  name: 'nodes-and-repairs',
  statements(engine: Engine): string[] {
    const { uuid, instant, integer, text } = columnTypes[engine];
    return [
      `create table nodes (
         id ${uuid} primary key,
         schema_version ${integer} not null,
         program_version ${text} not null,
         last_seen_at ${instant} not null
       )${strict[engine]}`,
      // JSON, see orders/repair-clock.ts: the unfinished repair, and the finished ones.
      `alter table store_clocks add column repair ${text}`,
      `alter table store_clocks add column repairs ${text}`,
    ];
  },
};
