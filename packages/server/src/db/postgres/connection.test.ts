import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { engine, testDatabase } from '../../../test/database.ts';
import { type Database, DatabaseUnavailable } from '../database.ts';
import { sql } from '../sql.ts';
import { openPostgres } from './open-postgres.ts';

/** A server in front of the database that, while it is faulty, treats connections by what they ask. */
async function faultyServer(databaseUrl: string, fault: (socket: Socket, request: Buffer) => boolean) {
  const url = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const state = { isFaulty: true };
  const server = createServer((near) => {
    const far = connect(Number(url.port || 5432), url.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
    sockets.add(near);
    near.on('close', () => sockets.delete(near));
    near.on('data', (data) => void ((state.isFaulty && fault(near, data)) || far.write(data)));
    far.on('data', (data) => near.write(data));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { port, state, sockets, close: () => server.close() };
}

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

async function open(
  fault: (socket: Socket, request: Buffer) => boolean,
  hosts = (port: number) => `127.0.0.1:${port}`,
) {
  const database = await testDatabase();
  undo.push(database.drop);
  const server = await faultyServer(database.DATABASE_URL as string, fault);
  undo.push(server.close);
  const { username, pathname } = new URL(database.DATABASE_URL as string);
  const url = `postgres://${username}@${hosts(server.port)}${pathname}`;
  const db = openPostgres(url, { limits: { connectMs: 200, queueMs: 1000 } });
  undo.push(db.close);
  return { db, server };
}

const read = (db: Database) => db.transaction((tx) => tx.one(sql`select 1 as one`));

describe.runIf(engine === 'postgres')('a connection', () => {
  test('that breaks right after it was opened fails its statement, not the process', async () => {
    const { db, server } = await open((socket, request) => {
      if (!request.includes('pg_backend_pid')) return false;
      socket.destroy();
      return true;
    });
    await expect(read(db)).rejects.toThrow(DatabaseUnavailable);
    server.state.isFaulty = false;
    expect(await read(db)).toEqual({ one: 1 });
  });

  test('that gets no response after it was opened is closed', async () => {
    const { db, server } = await open((_, request) => request.includes('pg_backend_pid'));
    await expect(read(db)).rejects.toThrow(DatabaseUnavailable);
    await expect.poll(() => server.sockets.size).toBe(0);
    server.state.isFaulty = false;
    expect(await read(db)).toEqual({ one: 1 });
  });

  test('to several servers of which none responds is tried again once one does', async () => {
    const { db, server } = await open(
      (_, request) => request.includes('transaction_read_only'),
      (port) => `127.0.0.1:${port},127.0.0.1:${port}`,
    );
    await expect(read(db)).rejects.toThrow(DatabaseUnavailable);
    server.state.isFaulty = false;
    expect(await read(db)).toEqual({ one: 1 });
  });
});
