import type { PostgresLimits } from '../src/db/postgres/open-postgres.ts';
import { cleanUpAfter } from './cleanup.ts';
import { testDatabase } from './database.ts';
import { proxy } from './proxy.ts';
import { startService } from './service.ts';

/** The service with a proxy between it and PostgreSQL, which can break and delay connections. */
export async function startBehindProxy(limits?: Partial<PostgresLimits>) {
  const database = await testDatabase();
  cleanUpAfter(database.drop);
  const url = new URL(database.DATABASE_URL as string);
  const server = { host: url.hostname, port: Number(url.port) };
  let isCut = false;
  const link = await proxy(() => (isCut ? undefined : server));
  cleanUpAfter(link.close);
  url.port = String(link.port);
  const damages = 'its connections: the database is checked without the proxy';
  const service = await startService({ database: { ...database, DATABASE_URL: url.href }, limits, damages });
  return {
    service,
    /** Without the proxy. */
    direct: database,
    holdResponses: link.holdResponses,
    dropPackets: link.dropPackets,
    dropNewPackets: link.dropNewPackets,
    cut() {
      isCut = true;
      link.cut();
    },
    restore() {
      isCut = false;
    },
  };
}
