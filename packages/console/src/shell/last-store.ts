const STORAGE_KEY = 'store-sales-store';

/** The store this browser opened last. */
export function lastStore(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

export function saveLastStore(id: string) {
  try {
    localStorage.setItem(STORAGE_KEY, id);
  } catch {
    // Without storage the console opens the first store.
  }
}
