import type { Engine } from './frozen.ts';

/** Adds `updatedAt` to the order's document: written once for each change instead of formatted at every read. */
export const stampedDocuments = {
  name: 'stamped-documents',
  batch(engine: Engine) {
    const updatedAt =
      engine === 'sqlite'
        ? `strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000.0, 'unixepoch')`
        : `to_char(to_timestamp(updated_at / 1000.0) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    return {
      table: 'orders',
      primaryKey: ['store_id', 'id'],
      set: `document = '"updatedAt":"' || ${updatedAt} || '",' || document`,
      isPending: `document not like '"updatedAt"%'`,
    };
  },
};
