import { type Batches, deleteExpired } from '../../db/batches/delete-expired.ts';
import type { Services } from '../../services.ts';
import { DAY } from '../../time/duration.ts';
import * as queries from './prune.queries.ts';

const keptSince = ({ config, now }: Services) => now() - config.WEBHOOK_LOG_DAYS * DAY;

/** Deletes expired log entries of a store; returns the number of deliveries. Pending ones are kept. */
export const pruneLogOf = (services: Services, storeId: string, batches?: Batches): Promise<number> =>
  deleteExpired(services.db, storeId, queries.oldDeliveries(storeId, keptSince(services)), batches);

export const pruneFigures = (services: Services) => queries.deleteFigures(services.db, keptSince(services));
