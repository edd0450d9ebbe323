import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ImportChange,
  type ImportKind,
  type ImportNews,
  ImportQuery,
  type ImportReport,
  importKinds,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_ROWS,
} from '@store-sales/contract/console';
import { categoryTable, importCategories } from '../catalog/import-categories.ts';
import { importProducts, productTable } from '../catalog/import-products.ts';
import { customerTable, importCustomers } from '../customers/import-customers.ts';
import type { Database } from '../db/database.ts';
import { recordHistory } from '../history/history.ts';
import { asRefusal } from '../http/errors.ts';
import type { ImportOptions, Report } from '../imports/report.ts';
import { readTable, type TableForm, type TableRow } from '../imports/table.ts';
import { type Upload, withUpload } from '../imports/upload.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import { actorOf, type Call, type Route, route } from './api.ts';

/** Maximum rows shown in a preview. */
const MAX_CHANGES = 50;
/** Maximum rejections listed: serializing a longer list would block the event loop. */
const MAX_REJECTIONS = 1000;
/** Maximum concurrent imports, per owner and in total: each takes up to 150 MB, and they share the CPU. */
const MAX_PER_OWNER = 2;
const MAX_IMPORTS = 4;
/** Interval between progress updates. */
const PROGRESS_MS = 300;

type Bytes = AsyncIterable<Buffer>;

interface Importer {
  /** Counts the rows; throws if the file as a whole is invalid. */
  check(bytes: Bytes): Promise<void>;
  run(db: Database, storeId: string, bytes: Bytes, options: ImportOptions): Promise<Report>;
}

const importer = <Column extends string>(
  form: TableForm<Column>,
  run: (
    db: Database,
    storeId: string,
    rows: AsyncIterable<TableRow<Column>>,
    options: ImportOptions,
  ) => Promise<Report>,
): Importer => ({
  async check(bytes) {
    let rows = 0;
    for await (const _ of readTable(bytes, form))
      if (++rows > MAX_IMPORT_ROWS)
        throw new Refusal('body_too_large', `The file has more than ${MAX_IMPORT_ROWS} rows.`);
  },
  run: (db, storeId, bytes, options) => run(db, storeId, readTable(bytes, form), options),
});

const importers: Record<ImportKind, Importer> = {
  products: importer(productTable, importProducts),
  categories: importer(categoryTable, importCategories),
  customers: importer(customerTable, importCustomers),
};

/**
 * A file is sent twice: for the preview and for the import. No state is kept in between, so each request may reach
 * another node. The response is NDJSON: progress lines, then the report. The import stops when the client disconnects
 * or the process ends: completed batches stay, and importing the same file again does the rest.
 */
export function importRoutes(services: Services): Route[] {
  const slots = importSlots();
  return importKinds.map((kind) =>
    route({
      method: 'POST',
      path: `/stores/:storeId/${kind}/import`,
      who: 'store',
      query: ImportQuery,
      async handle(call) {
        const { request, reply, store } = call;
        const { body } = request;
        if (!(body instanceof Readable)) throw new Refusal('unsupported_media_type', 'Send the file as text/csv.');
        const release = slots.take(store.owner_id);
        // Proxies that buffer the response would hide the progress.
        reply.type('application/x-ndjson; charset=utf-8').header('X-Accel-Buffering', 'no');
        return new Promise<Readable>((resolve, reject) => {
          withUpload(body, MAX_IMPORT_BYTES, async (upload) => {
            await importers[kind].check(upload.read());
            const lines = Readable.from(progress(services, kind, upload, call), { objectMode: false });
            resolve(lines);
            // The file is needed until the response is complete or the client disconnects.
            await once(lines, 'close');
          })
            .catch(reject)
            .finally(release);
        });
      },
    }),
  );
}

function importSlots() {
  const running = new Map<string, number>();
  let total = 0;
  return {
    /** Returns a function that releases the slot. */
    take(ownerId: string): () => void {
      const own = running.get(ownerId) ?? 0;
      if (own >= MAX_PER_OWNER)
        throw new Refusal(
          'too_many_imports',
          `${MAX_PER_OWNER} imports of yours are running. Wait until one has ended.`,
        );
      if (total >= MAX_IMPORTS)
        throw new Refusal('unavailable', 'The server is busy with other imports. Try again in a moment.');
      running.set(ownerId, own + 1);
      total++;
      return () => {
        const left = (running.get(ownerId) as number) - 1;
        if (left) running.set(ownerId, left);
        else running.delete(ownerId);
        total--;
      };
    },
  };
}

type ImportCall = Call<'store', never, typeof ImportQuery>;

async function* progress(
  services: Services,
  kind: ImportKind,
  upload: Upload,
  call: ImportCall,
): AsyncGenerator<string> {
  const line = (each: ImportNews) => `${JSON.stringify(each)}\n`;
  const state = { read: 0, isOver: false };
  const isStopped = () => state.isOver || !call.request.server.server.listening;
  // One import per store at a time; others wait here with their progress at 0.
  const work = services.limit(
    'import',
    call.store.id,
    () => run(services, kind, trackProgress(upload.read(), state, isStopped), call),
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
    yield line({ report: await work });
  } catch (error) {
    const { code, detail } = asRefusal(error);
    if (code === 'internal_error') call.request.log.error({ err: error, requestId: call.request.id }, code);
    yield line({ problem: { code, detail } });
  } finally {
    state.isOver = true;
    await work.catch(() => {});
  }
}

/** Tracks how much of the file was read, and stops the import between two chunks. */
async function* trackProgress(bytes: Bytes, state: { read: number }, isStopped: () => boolean): Bytes {
  for await (const chunk of bytes) {
    if (isStopped()) throw new Refusal('import_stopped', 'The import was stopped; what it had written stays.');
    yield chunk;
    state.read += chunk.length;
  }
}

async function run({ db, now }: Services, kind: ImportKind, bytes: Bytes, call: ImportCall): Promise<ImportReport> {
  const { store, session, query } = call;
  const changes: ImportChange[] = [];
  const onChange = (read: () => ImportChange) => void (changes.length < MAX_CHANGES && changes.push(read()));
  const options = { now, maxRejections: MAX_REJECTIONS };
  if (query.preview)
    return { ...(await importers[kind].run(db, store.id, bytes, { ...options, dryRun: true, onChange })), changes };
  const note = (action: 'imported' | 'import_stopped', counts: object) => {
    const subject = { kind: 'import', id: store.id, name: query.file ?? '' } as const;
    const entry = { scopeId: store.id, actor: actorOf(session), action, subject, details: { list: kind, ...counts } };
    return db.transaction((tx) => recordHistory(tx, { ...entry, at: now() }));
  };
  const work = importers[kind].run(db, store.id, bytes, options);
  const report = await work.catch(async (error: unknown) => {
    // Completed batches have been written.
    await note('import_stopped', {});
    throw error;
  });
  const { created, updated, rejectedCount } = report;
  if (created || updated) await note('imported', { created, updated, rejected: rejectedCount });
  return { ...report, changes };
}
