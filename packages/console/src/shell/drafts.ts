const PREFIX = 'store-sales-draft:';

/**
 * Unsent forms, kept over a reload. In the tab's own storage, because they hold personal data of customers: they are
 * gone when the tab is closed, and two tabs do not overwrite each other's.
 */
export function readDraft<Draft>(name: string): Draft | undefined {
  try {
    const text = sessionStorage.getItem(PREFIX + name);
    return text ? (JSON.parse(text) as Draft) : undefined;
  } catch {
    return undefined;
  }
}

/** `undefined` removes the draft. */
export function writeDraft(name: string, draft: object | undefined) {
  try {
    if (draft) sessionStorage.setItem(PREFIX + name, JSON.stringify(draft));
    else sessionStorage.removeItem(PREFIX + name);
  } catch {
    // Without storage the form lasts until the page is reloaded.
  }
}

/** The next person at this computer must not see them. */
export function removeDrafts() {
  try {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  } catch {
    // Nothing was stored.
  }
}
