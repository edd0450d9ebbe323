import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import {
  consoleEndpoints,
  type ImportChange,
  type ImportKind,
  type ImportProgress,
  type ImportReport,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_ROWS,
  type PriceUnit,
  type ProductImportQuery,
} from '@store-sales/contract/console';
import type { Database } from '../db/database.ts';
import { DomainError } from '../domain-error.ts';
import { recordHistory } from '../history/history.ts';
import type { ConsoleCall } from '../http/bind.ts';
import { asDomainError } from '../http/errors.ts';
import { LongResponse } from '../http/long-work.ts';
import type { Services } from '../services.ts';
import { fileError } from './messages.ts';
import { type PriceFormat, PriceScan, scanPrices } from './prices.ts';
import type { ImportOptions, Report } from './report.ts';
import { readTable, type TableForm, type TableRow } from './table.ts';
import { type Upload, withUpload } from './upload.ts';

/** Maximum rows shown in a preview. */
const MAX_CHANGES = 50;
/** Maximum rejections listed: serializing a longer list would block the event loop. */
const MAX_REJECTIONS = 1000;
/** Maximum concurrent imports, per owner and in total: each takes up to 150 MB, and they share the CPU. */
const MAX_PER_OWNER = consoleEndpoints['POST /stores/{storeId}/products/import'].response.maxOpen;
const MAX_IMPORTS = 4;
/** Interval between progress updates. */
const PROGRESS_MS = 300;

type Bytes = AsyncIterable<Buffer>;
type ImportCall = ConsoleCall<`POST /stores/{storeId}/${ImportKind}/import`>;

/** Imports a table of the store; the rule of the feature. */
type ImportRule<Column extends string> = (
  db: Database,
  storeId: string,
  rows: AsyncIterable<TableRow<Column>>,
  options: ImportOptions,
) => Promise<Report>;

interface Importer {
  kind: ImportKind;
  run(db: Database, bytes: Bytes, storeId: string, options: ImportOptions): Promise<Report>;
}

/**
 * The handler of a console import. A file is sent twice: for the preview and for the import. No state is kept in
 * between, so each request may reach another node. The response is NDJSON: progress lines, then the report. The import
 * stops when the client disconnects or the process ends: completed batches stay, and importing the same file again does
 * the rest.
 */
export function fileImport<Column extends string>(
  services: Services,
  slots: ImportSlots,
  kind: ImportKind,
  form: TableForm<Column>,
  rule: ImportRule<Column>,
) {
  const importer = (prices: PriceFormat, addsInactive: boolean): Importer => ({
    kind,
    run: (db, bytes, storeId, options) =>
      rule(db, storeId, readTable(bytes, form), { ...options, prices, addsInactive }),
  });
  /** Throws if the file as a whole is invalid; returns how its prices are written. */
  async function check(bytes: Bytes, unit: PriceUnit) {
    let rows = 0;
    const scan = new PriceScan(unit);
    for await (const { cells } of readTable(bytes, form)) {
      if (++rows > MAX_IMPORT_ROWS)
        throw fileError({ code: 'too_many_rows', params: { max: MAX_IMPORT_ROWS } }, { code: 'body_too_large' });
      scanPrices(scan, cells);
    }
    return scan.format();
  }

  return async (call: ImportCall) => {
    const slot = slots.take(call.store.owner_id);
    const body = await new Promise<LongResponse>((resolve, reject) => {
      withUpload(call.work.file, MAX_IMPORT_BYTES, async (upload) => {
        await call.work.proceed();
        slot.start();
        const { prices = 'kopecks', inactive }: ProductImportQuery = call.query;
        const format = await check(call.work.each(upload.read()), prices);
        const lines = new LongResponse(
          call.work,
          progress(services, importer(format, inactive === 'true'), upload, call, slot.release),
        );
        resolve(lines);
        // The file is needed until the response is complete or the client disconnects.
        await once(lines, 'close');
      })
        .catch(reject)
        .finally(slot.release);
    });
    // Proxies that buffer the response would hide the progress.
    return { body, headers: { 'X-Accel-Buffering': 'no' } };
  };
}

/**
 * Limits concurrent imports in this process: per owner from the start of the upload, and in total from its end, because a
 * file may take as long to arrive as its sender likes.
 */
export function importSlots() {
  const running = new Map<string, number>();
  let total = 0;
  return {
    take(ownerId: string) {
      const own = running.get(ownerId) ?? 0;
      if (own >= MAX_PER_OWNER)
        throw new DomainError(
          'too_many_imports',
          `You have ${MAX_PER_OWNER} imports running. Wait until one has finished.`,
        );
      running.set(ownerId, own + 1);
      let state: 'arriving' | 'started' | 'released' = 'arriving';
      return {
        /** Call it when the file has arrived. */
        start() {
          if (total >= MAX_IMPORTS)
            throw new DomainError('unavailable', 'The server is busy with other imports. Try again in a moment.');
          state = 'started';
          total++;
        },
        /** Calling it again does nothing. */
        release() {
          if (state === 'released') return;
          if (state === 'started') total--;
          state = 'released';
          const left = (running.get(ownerId) as number) - 1;
          if (left) running.set(ownerId, left);
          else running.delete(ownerId);
        },
      };
    },
  };
}

export type ImportSlots = ReturnType<typeof importSlots>;

async function* progress(
  services: Services,
  importer: Importer,
  upload: Upload,
  call: ImportCall,
  releaseSlot: () => void,
): AsyncGenerator<string> {
  const line = (each: ImportProgress) => `${JSON.stringify(each)}\n`;
  const state = { read: 0, isClosed: false };
  const isStopped = () => state.isClosed || !call.request.server.server.listening;
  // One import per store at a time; others wait here with their progress at 0.
  const work = services.limit(
    'import',
    call.store.id,
    () => run(services, importer, trackProgress(upload.read(), state, isStopped, call), call),
    { isGone: isStopped, isStreaming: true },
  );
  // Errors are reported below; this prevents an unhandled rejection if the client has disconnected.
  work.catch(() => {});
  try {
    for (;;) {
      const settled = work.then(
        () => true,
        () => true,
      );
      if (await Promise.race([settled, pause(PROGRESS_MS, false)])) break;
      yield line({ progress: upload.size ? Math.min(1, state.read / upload.size) : 1 });
    }
    // Before the last line: a client that has read it may start the next import at once.
    releaseSlot();
    yield line({ report: await work });
  } catch (error) {
    const { code, detail } = asDomainError(error);
    if (code === 'internal_error') call.request.log.error({ err: error, requestId: call.request.id }, code);
    yield line({ problem: { code, detail } });
  } finally {
    state.isClosed = true;
    await work.catch(() => {});
  }
}

/** Tracks how much of the file was read, and stops the import between two chunks. */
async function* trackProgress(
  bytes: Bytes,
  state: { read: number },
  isStopped: () => boolean,
  { work }: ImportCall,
): Bytes {
  for await (const chunk of work.each(bytes)) {
    if (isStopped()) throw new DomainError('import_stopped', 'The import was stopped; what it had written stays.');
    yield chunk;
    state.read += chunk.length;
  }
}

async function run({ db, now }: Services, importer: Importer, bytes: Bytes, call: ImportCall): Promise<ImportReport> {
  const { store, actor, query } = call;
  const guarded = call.work.guarded();
  const changes: ImportChange[] = [];
  const onChange = (read: () => ImportChange) => void (changes.length < MAX_CHANGES && changes.push(read()));
  const options = { now, actor, maxRejections: MAX_REJECTIONS };
  if (query.preview)
    return { ...(await importer.run(guarded, bytes, store.id, { ...options, dryRun: true, onChange })), changes };
  const note = (action: 'imported' | 'import_stopped', counts: object) => {
    const subject = { kind: 'import', id: store.id, name: query.file ?? '' } as const;
    const entry = { scopeId: store.id, actor, action, subject, details: { list: importer.kind, ...counts } };
    return db.transaction((tx) => recordHistory(tx, { ...entry, at: now() }));
  };
  const work = importer.run(guarded, bytes, store.id, options);
  const report = await work.catch(async (error: unknown) => {
    // Completed batches have been written.
    await note('import_stopped', {});
    throw error;
  });
  const { created, updated, rejectedCount } = report;
  if (created || updated) await note('imported', { created, updated, rejected: rejectedCount });
  return { ...report, changes };
}
