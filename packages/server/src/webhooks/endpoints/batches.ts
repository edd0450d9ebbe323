/** Maximum number of deliveries changed in one transaction; on SQLite it blocks other writers for about 10 ms. */
export const BATCH_SIZE = 500;

const running = new Map<string, Promise<unknown>>();

/**
 * Serializes the batches of a store, in FIFO order: parallel requests of one store then use the database no more than a
 * single one.
 */
export async function batchOf<Result>(storeId: string, work: () => Promise<Result>): Promise<Result> {
  const before = running.get(storeId);
  const batch = (async () => {
    await before?.catch(() => {});
    return work();
  })();
  running.set(storeId, batch);
  try {
    return await batch;
  } finally {
    if (running.get(storeId) === batch) running.delete(storeId);
  }
}
