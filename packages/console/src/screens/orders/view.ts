import type { OrderView } from '@store-sales/contract/console';

/** What the address of the table says: which orders, and from where on. */
export interface TableView extends OrderView {
  cursor?: string;
}

const names = ['status', 'payment', 'source', 'from', 'to', 'q', 'cursor'] as const;

/** Reads an address that may have been typed: what is not known is left out. */
export function readView(search: Record<string, unknown>): TableView {
  const known = names.map((name) => [name, search[name]] as const);
  const texts = known.filter(([, value]) => (typeof value === 'string' && value !== '') || typeof value === 'number');
  return Object.fromEntries(texts.map(([name, value]) => [name, String(value)]));
}

/** Where the table was left, so that the way back from an order leads there. */
const left = new Map<string, TableView>();
export const leaveView = (storeId: string, view: TableView) => left.set(storeId, view);
export const lastView = (storeId: string): TableView => left.get(storeId) ?? {};
