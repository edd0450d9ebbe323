import type { Dialect } from '../dialect.ts';
import { raw } from '../sql.ts';

/** `updatedAt` goes into the order's document: written once for each change instead of at every reading. */
export const stampedDocuments = {
  name: 'stamped-documents',
  batch({ iso }: Dialect) {
    const updatedAt = iso(raw('updated_at')).text(() => '');
    return {
      table: 'orders',
      primaryKey: ['store_id', 'id'],
      set: `document = '"updatedAt":"' || ${updatedAt} || '",' || document`,
      isPending: `document not like '"updatedAt"%'`,
    };
  },
};
