import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { PriceUnit } from '@store-sales/contract/console';
import { findStore } from '../accounts/stores.ts';
import { categoryTable, importCategories } from '../catalog/import-categories.ts';
import { importProducts, productTable } from '../catalog/import-products.ts';
import { customerTable, importCustomers } from '../customers/import-customers.ts';
import type { Database } from '../db/database.ts';
import { DomainError } from '../domain-error.ts';
import { messageOf } from '../imports/messages.ts';
import { PriceScan, scanPrices } from '../imports/prices.ts';
import type { ImportOptions, Report } from '../imports/report.ts';
import { readTable, type TableForm, type TableRow } from '../imports/table.ts';
import { print, progressBar } from './output.ts';
import { withDatabase } from './session.ts';

interface Options {
  store: string;
  dryRun?: boolean;
  /** Products only. */
  prices?: PriceUnit;
  json?: boolean;
}

type Importer<Column extends string> = (
  db: Database,
  storeId: string,
  rows: AsyncIterable<TableRow<Column>>,
  options: ImportOptions,
) => Promise<Report>;

const importer =
  <Column extends string>(form: TableForm<Column>, run: Importer<Column>) =>
  (file: string, { store, dryRun = false, prices = 'kopecks', json }: Options) =>
    withDatabase(async ({ db, clock }) => {
      const { id } = await findStore(db, store);
      const { size, format } = await checkFile(file, form, prices);
      const bar = progressBar('Importing', size);
      try {
        const rows = readTable(
          watched(createReadStream(file), (bytes) => bar?.update(bytes)),
          form,
        );
        const report = await run(db, id, rows, { now: clock, dryRun, prices: format });
        bar?.update(size);
        bar?.stop();
        show(report, json);
      } finally {
        bar?.stop();
      }
    });

export const categoryImport = importer(categoryTable, importCategories);
export const productImport = importer(productTable, importProducts);
export const customerImport = importer(customerTable, importCustomers);

/** Reads the whole file once before anything is imported: one that is wrong as a whole imports nothing. */
async function checkFile<Column extends string>(file: string, form: TableForm<Column>, prices: PriceUnit) {
  const { size } = await onlyFile(file);
  const scan = new PriceScan(prices);
  for await (const { cells } of readTable(createReadStream(file), form)) scanPrices(scan, cells);
  return { size, format: scan.format() };
}

async function onlyFile(file: string) {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw new DomainError(
      'invalid_body',
      `${file} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
    );
  });
  // A pipe can be read only once, and every file is read twice.
  if (!found.isFile()) throw new DomainError('invalid_body', `${file} cannot be read: it is not a file`);
  return found;
}

async function* watched(chunks: AsyncIterable<Buffer>, onBytes: (total: number) => void) {
  let total = 0;
  for await (const chunk of chunks) {
    onBytes(total);
    total += chunk.length;
    yield chunk;
  }
}

function show({ rejected, rejectedCount, ...counts }: Report, json: boolean | undefined) {
  if (json)
    return print({ ...counts, rejected: rejected.map((each) => ({ ...each, message: messageOf(each) })) }, json);
  print({ ...counts, rejected: rejectedCount }, json);
  for (const rejection of rejected) console.log(`line ${rejection.line}: ${messageOf(rejection)}`);
}
