import { expect, test } from 'vitest';
import { startService } from '../../../test/service.ts';
import { HOUR, MINUTE } from '../../time/duration.ts';
import { watchStoreClocks } from './clocks-ahead.ts';
import { tick } from './store-clock.ts';

test('warns while the times of a store are more than a minute ahead, until the present has caught up', async () => {
  const { db, clock, store } = await startService();
  const [{ id }, other] = [await store(), await store()];
  const change = (storeId: string) => db.transaction((tx) => tick(tx, storeId, clock.now));
  const warnings: number[] = [];
  const watched = await watchStoreClocks(
    db,
    () => clock.now,
    (aheadMs) => warnings.push(aheadMs),
  );
  watched.stop();
  const start = clock.now;
  const at = async (now: number) => {
    clock.now = now;
    await watched.read();
    return [watched.aheadMs(), warnings.splice(0)];
  };
  expect(await at(start)).toEqual([0, []]);
  clock.now = start + HOUR;
  await change(id);
  expect(await at(start + HOUR)).toEqual([0, []]);
  // The clock is set right.
  clock.now = start;
  expect(watched.aheadMs()).toBe(HOUR);
  await change(id);
  await change(other.id);
  expect(await at(start + 1000)).toEqual([HOUR - 1000, [HOUR - 1000]]);
  expect(await at(start + HOUR - MINUTE)).toEqual([MINUTE, []]);
  expect(await at(start + 2 * HOUR)).toEqual([0, []]);
});
