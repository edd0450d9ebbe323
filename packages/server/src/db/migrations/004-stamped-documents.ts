import type { Dialect } from '../dialect.ts';
import { raw } from '../sql.ts';

/** `updatedAt` goes into the order's document: written once for each change instead of at every reading. */
export const stampedDocuments = {
  name: 'stamped-documents',
  statements({ iso }: Dialect): string[] {
    const updatedAt = iso(raw('updated_at')).text(() => '');
    return [`update orders set document = '"updatedAt":"' || ${updatedAt} || '",' || document`];
  },
};
