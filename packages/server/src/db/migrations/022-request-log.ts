import { columnTypes, type Engine, strict } from './frozen.ts';

/** Requests of the API, and how many lines each store has. */
export const requestLog = {
  name: 'request-log',
  statements(engine: Engine): string[] {
    const { uuid, instant, integer, text } = columnTypes[engine];
    // The key is the only index: ids are in the order of time, and a store has at most 100,000 lines to search.
    const clustered = { sqlite: ' strict, without rowid', postgres: '' };
    return [
      `create table request_log (
        store_id ${uuid} not null,
        id ${uuid} not null,
        received_at ${instant} not null,
        key_id ${uuid} not null,
        method ${text} not null,
        route ${text} not null,
        status ${integer} not null,
        code ${text},
        duration_ms ${integer} not null,
        request_id ${text} not null,
        address ${text} not null,
        query ${text} not null,
        problem ${text},
        primary key (store_id, id)
      )${clustered[engine]}`,
      `create table request_log_sizes (
        store_id ${uuid} not null primary key,
        lines ${integer} not null
      )${strict[engine]}`,
    ];
  },
};
