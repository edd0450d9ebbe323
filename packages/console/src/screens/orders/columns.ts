import { type OrderColumn, orderColumns } from '@store-sales/contract/values';
import { useState } from 'react';

export const DEFAULT_COLUMNS: readonly OrderColumn[] = ['created', 'customer', 'status', 'payment', 'source', 'total'];
const storageKey = (storeId: string) => `store-sales-columns:${storeId}`;

function read(storeId: string): readonly OrderColumn[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(storeId)) ?? '');
    if (Array.isArray(stored)) return orderColumns.filter((column) => stored.includes(column));
  } catch {
    // Nothing was stored.
  }
  return DEFAULT_COLUMNS;
}

/** The columns of the order list in this browser; a saved view brings its own. */
export function useColumns(storeId: string) {
  const [chosen, setChosen] = useState<{ storeId: string; columns: readonly OrderColumn[] }>();
  const columns = chosen?.storeId === storeId ? chosen.columns : read(storeId);
  const setColumns = (next: readonly OrderColumn[]) => {
    const sorted = orderColumns.filter((column) => next.includes(column));
    setChosen({ storeId, columns: sorted });
    try {
      localStorage.setItem(storageKey(storeId), JSON.stringify(sorted));
    } catch {
      // Without storage the choice lasts until the page is reloaded.
    }
  };
  return [columns, setColumns] as const;
}
