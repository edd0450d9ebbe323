import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findStore } from '../accounts/stores.ts';
import { type ExportFormat, exportOrders } from '../orders/read/export-orders.ts';
import { isClosed } from './output.ts';
import { withDatabase } from './session.ts';

interface Options {
  store: string;
  format: ExportFormat;
  json?: boolean;
}

/** Writes all orders of a store to standard output, and messages to standard error. */
export const orderExport = ({ store, format, json }: Options) =>
  withDatabase(async ({ db }) => {
    const { id } = await findStore(db, store);
    let exported = 0;
    const pieces = exportOrders(db, id, format, (count) => {
      exported += count;
    });
    try {
      await pipeline(Readable.from(pieces), process.stdout, { end: false });
    } catch (error) {
      // The reader has closed the pipe, as `head` does.
      if (isClosed(error)) return;
      throw error;
    }
    console.error(json ? JSON.stringify({ exported }) : `exported ${exported} orders`);
  });
