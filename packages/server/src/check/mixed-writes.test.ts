import { API_PREFIX, endpoints } from '@store-sales/contract';
import { CONSOLE_API_PREFIX, consoleEndpoints } from '@store-sales/contract/console';
import { describe, expect, test } from 'vitest';
import { migratedDatabase } from '../../test/database.ts';
import { deadlocksOf } from '../../test/deadlocks.ts';
import { startMailServer } from '../../test/mail.ts';
import { startService } from '../../test/service.ts';
import { expectSound } from '../../test/sound.ts';
import { startNodes, type World } from '../../test/world.ts';
import { carryOut, commands, isInterrupting, kindsInStore, writeKinds } from '../../test/write-kinds.ts';
import { program } from '../cli/main.ts';
import { sql } from '../db/sql.ts';

/**
 * Every kind of write beside every other one in one store, then random mixtures of all of them, on one node and on two.
 * Afterwards the database keeps all its promises, every event and every acknowledged change has been received, and
 * nothing has been deadlocked.
 *
 * For hours: MIXED_WRITES_MINUTES=120 npm test -- mixed-writes; MIXED_WRITES_SEED repeats a run.
 */
const minutes = Number(process.env.MIXED_WRITES_MINUTES ?? 0);
const seed = Number(process.env.MIXED_WRITES_SEED ?? Math.floor(Math.random() * 1e9));

/** What a write may meet beside others; anything else is a fault. */
const EXPECTED = [200, 201, 204, 404, 409, 412, 422];
/** In a store that has just left the plan or was deactivated. */
const INTERRUPTED = [401, 403];

const database = await migratedDatabase();
const mails = await startMailServer();
const env = { WEBHOOK_ALLOW_INTERNAL: 'true', TRUST_PROXY: '1', ...mails.env };
const services = [await startService({ database, env }), await startService({ database, env })] as const;
const [{ app, db }] = services;

type Kind = (typeof kindsInStore)[number];

/** Runs the writes at the same time. */
async function together(world: World, kinds: readonly Kind[]) {
  if (world.random.boolean(0.5)) world.advance(1);
  const names = kinds.map(([name]) => name);
  const expected = [...EXPECTED, ...(names.some(isInterrupting) ? INTERRUPTED : [])];
  const outcomes = await Promise.all(kinds.map(([, write]) => carryOut(write, world)));
  for (const [index, { status, text }] of outcomes.entries())
    expect(expected, `${names[index]} beside ${names.join(', ')}: ${status} ${text}; seed ${seed}`).toContain(status);
}

const { openWorld, deliver, received } = await startNodes(services, mails, seed);

interface EventRow {
  id: string;
  type: string;
  order_id: string;
  details: string;
}

/** The endpoint has received all events, those of what was acknowledged among them. */
async function expectAllReceived(world: World) {
  await deliver(world);
  const { storeId } = world;
  const events = await db.all<EventRow>(
    sql`select id, type, order_id, details from events
        where store_id = ${storeId} and type not in ('order.edited', 'order.mailed', 'ping') order by id`,
  );
  const got = new Map(received(world).map((event) => [event.id, event]));
  expect([...got.keys()].sort(), `seed ${seed}`).toEqual(events.map(({ id }) => id));
  for (const { id, type, order_id } of events) expect(got.get(id)).toMatchObject({ type, data: { orderId: order_id } });

  const announced = new Set(events.filter(({ type }) => type === 'order.created').map(({ order_id }) => order_id));
  const changes = new Set(events.map(({ type, order_id, details }) => `${type} ${order_id} ${JSON.parse(details).to}`));
  const first = await db.all<{ id: string }>(
    sql`select id from order_statuses where store_id = ${storeId} and code = 'new'
        union all select id from payment_statuses where store_id = ${storeId} and code = 'unpaid'`,
  );
  const isFirst = (statusId: string) => first.some(({ id }) => id === statusId);
  const missing = [
    ...world.created.filter((id) => !announced.has(id)),
    ...world.acknowledged.filter(
      ({ orderId, type, statusId }) => !isFirst(statusId) && !changes.has(`${type} ${orderId} ${statusId}`),
    ),
  ];
  expect(missing, `seed ${seed}`).toEqual([]);
}

const expectPromisesKept = () => expectSound(db, 0);

test('every command, and every route that may write, has a row in the table of writes', () => {
  const names = program.commands.flatMap((command) =>
    command.commands.length ? command.commands.map((each) => `${command.name()} ${each.name()}`) : [command.name()],
  );
  expect(Object.keys(commands).sort()).toEqual(names.sort());

  const inTables = [
    ...Object.values(endpoints).map(({ method, path }) => `${method} ${API_PREFIX}${path}`),
    ...Object.keys(consoleEndpoints).map((route) => route.replace(' ', ` ${CONSOLE_API_PREFIX}`)),
  ].map((route) => route.replace(/\{(\w+)\}/g, ':$1'));
  const others = writingRoutes(app.printRoutes({ commonPrefix: false })).filter((route) => !inTables.includes(route));
  // The cart is in a cookie.
  expect(others.filter((route) => !(route in writeKinds))).toEqual(['POST /shop/:slug/cart']);
});

/** The routes with a method that writes, from the tree that Fastify prints. */
function writingRoutes(tree: string): string[] {
  const path: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', segment, methods = ''] = /^([│ ]*)[├└]── (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    if (!segment || segment === '*') return [];
    path.splice(indent.length / 4, Infinity, segment);
    // A route with all methods responds with 404.
    if (methods.includes('TRACE')) return [];
    const writing = methods.split(', ').filter((method) => ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method));
    return writing.map((method) => `${method} ${path.join('')}`);
  });
}

test('every kind of write succeeds alone', { timeout: 300_000 }, async () => {
  const failed: string[] = [];
  const world = await openWorld();
  for (const [name, write] of kindsInStore) {
    // Values at random may be refused, such as the phone of another customer.
    for (let tries = 1; ; tries++) {
      const { status, text } = await carryOut(write, tries < 4 ? world : await openWorld());
      if (status < 300) break;
      if (tries < 10) continue;
      failed.push(`${name}: ${status} ${text}`);
      break;
    }
  }
  expect(failed).toEqual([]);
});

/** Two blocks of kinds at a time: every kind meets every other one, and itself. */
const BLOCK_SIZE = 8;
const blocks: Kind[][] = [];
for (let start = 0; start < kindsInStore.length; start += BLOCK_SIZE)
  blocks.push(kindsInStore.slice(start, start + BLOCK_SIZE));

describe.each([
  ['one node', 1],
  ['two nodes', 2],
])('on %s', (_, nodeCount) => {
  test('every kind of write beside every other one', { timeout: 600_000 }, async () => {
    for (const [index, block] of blocks.entries()) {
      const world = await openWorld(nodeCount);
      for (const other of blocks.slice(index)) await together(world, [...block, ...other]);
      await expectAllReceived(world);
    }
    await expectPromisesKept();
    expect(await deadlocksOf(db)).toBe(0);
  });

  test('random mixtures of writes', { timeout: 600_000 + minutes * 60_000 }, async () => {
    const until = Date.now() + (minutes * 60_000) / 2;
    do {
      const world = await openWorld(nodeCount);
      for (let round = 0; round < 20; round++)
        await together(
          world,
          Array.from({ length: 16 }, () => world.random.pick(kindsInStore)),
        );
      await expectAllReceived(world);
      if (minutes) await expectPromisesKept();
    } while (Date.now() < until);
    await expectPromisesKept();
    expect(await deadlocksOf(db)).toBe(0);
  });
});
