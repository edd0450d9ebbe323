import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { system } from '@store-sales/server/actor';
import type { StoreClock } from '@store-sales/server/db/clock/store-clock';
import { eventWrites } from '@store-sales/server/webhooks/outbox/outbox';
import { expect, test } from 'vitest';
import { addHook, shop } from '../processes.ts';
import { median, startInstallation, startTimedReceiver, summary } from './timed-deliveries.ts';

/**
 * One store has eight endpoints with a constant backlog that take 100 ms to respond. The quiet endpoint of another store
 * must get its events as if it were alone. The long form: ATTACK=long npm test -- e2e/attack/busy-endpoints
 */
const isLong = process.env.ATTACK === 'long';
const TEST_MS = isLong ? 600_000 : 120_000;
const ENDPOINTS = 8;
/** Pending events of each endpoint. */
const BACKLOG = 300;
const EVENTS = isLong ? 200 : 30;
const RESPONSE_MS = 100;

const { env, db, addProduct, createOrder } = await startInstallation();
const [busy, quiet] = [await shop(env), await shop(env)];
const [slow, fast] = [await startTimedReceiver({ delayMs: RESPONSE_MS }), await startTimedReceiver()];
const productId = await addProduct(quiet.storeId);
const delays = () => fast.delays(EVENTS, () => createOrder(quiet.key, productId));

test(
  'eight busy endpoints of one store do not delay a quiet one of another',
  async () => {
    await addHook(env, quiet.storeId, fast.url);
    const alone = await delays();

    for (let index = 0; index < ENDPOINTS; index++) await addHook(env, busy.storeId, `${slow.url}${index}`);
    const record = (count: number) => {
      const { storeId } = busy;
      const now = Date.now();
      const event = (clock: StoreClock) =>
        eventWrites(
          { storeId, orderId: randomUUID(), externalId: '', actor: system, now },
          [{ type: 'order.created' }],
          clock,
        );
      return db.write({
        storeId,
        now,
        keys: [],
        read: async () => undefined,
        apply: (_, clock) => ({ writes: Array.from({ length: count }, () => event(clock)).flat(), result: undefined }),
      });
    };
    let [recorded, isDone] = [0, false];
    const attack = (async () => {
      for (; !isDone; await sleep(50)) {
        const missing = BACKLOG - (recorded - slow.arrivals.size);
        if (missing <= 0) continue;
        recorded += missing;
        await record(missing);
      }
    })();
    // By then the dispatcher has raised the limits of the busy endpoints.
    await expect.poll(() => slow.arrivals.size, { timeout: 60_000 }).toBeGreaterThan(100);
    const before = slow.arrivals.size;
    const underLoad = await delays();
    const meanwhile = slow.arrivals.size - before;
    isDone = true;
    await attack;
    console.log(
      `busy-endpoints: ${summary(alone)} alone, ${summary(underLoad)} with ${ENDPOINTS} busy ones, which got ${meanwhile}`,
    );

    expect(meanwhile).toBeGreaterThan(0);
    // Without round-robin scheduling of stores this was seconds, and half a minute at worst.
    expect(median(underLoad)).toBeLessThan(5 * median(alone) + 1000);
    expect(underLoad.at(-1)).toBeLessThan(5 * (alone.at(-1) as number) + 5000);
  },
  TEST_MS,
);
