import { DAY } from '../../time/duration.ts';
import { repeat } from '../../time/repeat.ts';
import type { Database, Queryable } from '../database.ts';
import { sql } from '../sql.ts';
import { uuid } from '../uuid.ts';

const HEARTBEAT_MS = 10_000;
/** Three missed heartbeats. */
const TIMEOUT_MS = 30_000;
const RETENTION_MS = DAY;

/** A running process, visible to the others. */
export interface Node {
  id: string;
  schemaVersion: number;
  programVersion: string;
}

export const newNode = (schemaVersion: number, programVersion: string): Node => ({
  id: uuid(Date.now()),
  schemaVersion,
  programVersion,
});

/** Uses the time of the database, because the clocks of nodes may differ. */
export async function saveNode(db: Queryable, { id, schemaVersion, programVersion }: Node) {
  const { now } = db.dialect;
  await db.run(
    sql`insert into nodes (id, schema_version, program_version, last_seen_at)
        values (${id}, ${schemaVersion}, ${programVersion}, ${now})
        on conflict (id) do update set last_seen_at = excluded.last_seen_at`,
  );
}

export interface AliveNode {
  id: string;
  schema_version: number;
  program_version: string;
  seen_ms: number;
}

export const aliveNodesBelow = (db: Queryable, version: number) =>
  db.all<AliveNode>(
    sql`select id, schema_version, program_version, ${db.dialect.now} - last_seen_at as seen_ms from nodes
        where schema_version < ${version} and last_seen_at > ${db.dialect.now} - ${TIMEOUT_MS} order by id`,
  );

/** Whether a process is running that uses this database. */
export const hasNodes = async (db: Queryable) => (await aliveNodesBelow(db, Number.MAX_SAFE_INTEGER)).length > 0;

/**
 * Updates the node's row regularly, and deletes it when stopped. Each heartbeat is one small commit that does not wait
 * for the disk; on SQLite it also invalidates the key cache, which costs one indexed read per key.
 */
export function heartbeat(
  db: Database,
  node: Node,
  {
    onBeat,
    onError,
    everyMs = HEARTBEAT_MS,
  }: { onBeat: () => Promise<void>; onError: (error: unknown) => void; everyMs?: number },
) {
  const beat = async () => {
    await db.transaction((tx) => saveNode(tx, node), { isLazy: true });
    await onBeat();
  };
  const beats = repeat(everyMs, beat, onError);
  return {
    async stop() {
      await beats.stop();
      await db.run(sql`delete from nodes where id = ${node.id} or last_seen_at < ${db.dialect.now} - ${RETENTION_MS}`);
    },
  };
}
