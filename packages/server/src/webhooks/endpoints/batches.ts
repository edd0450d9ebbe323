/** Deliveries changed in one transaction: SQLite's only writer is busy with them for about 10 ms. */
export const BATCH_SIZE = 500;

const running = new Map<string, Promise<unknown>>();

/**
 * Runs one batch of a store at a time, in the order they were asked for: parallel requests of one store keep the writer
 * and the connections no busier than a single one does.
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
