import type { PostgresLimits } from '../src/db/postgres/open-postgres.ts';
import { cleanUpAfter } from './cleanup.ts';
import { testDatabase } from './database.ts';
import { proxy } from './proxy.ts';
import { startService } from './service.ts';

/** The service with a wire of ours between it and its PostgreSQL, which can be cut and held up. */
export async function startBehindWire(limits?: Partial<PostgresLimits>) {
  const place = await testDatabase();
  cleanUpAfter(place.drop);
  const url = new URL(place.DATABASE_URL as string);
  const server = { host: url.hostname, port: Number(url.port) };
  let isCut = false;
  const wire = await proxy(() => (isCut ? undefined : server));
  cleanUpAfter(wire.close);
  url.port = String(wire.port);
  const service = await startService({ place: { ...place, DATABASE_URL: url.href }, limits });
  return {
    service,
    /** Around the wire. */
    direct: place,
    holdAnswers: wire.holdAnswers,
    dropPackets: wire.dropPackets,
    dropNewPackets: wire.dropNewPackets,
    cut() {
      isCut = true;
      wire.cut();
    },
    mend() {
      isCut = false;
    },
  };
}
