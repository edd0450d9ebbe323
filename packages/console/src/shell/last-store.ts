const REMEMBERED = 'store-sales-store';

/** The store this browser worked with last; the console opens there. */
export function lastStore(): string | null {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}

export function rememberStore(id: string) {
  try {
    localStorage.setItem(REMEMBERED, id);
  } catch {
    // Without storage the console opens at the first store.
  }
}
