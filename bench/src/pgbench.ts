/**
 * Creates compared with `pgbench` inserting the same rows into the same tables, alternating. `pgbench` takes numbers
 * from a sequence, so its 12 clients do not wait for each other as writes of one store do.
 *
 *     BENCH_DATABASE_URL=postgres://… npm run bench:pgbench
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from '@store-sales/server/db/sql';
import { storeWith, temporaryDatabase } from './bench-database.ts';
import { forkProgram } from './child.ts';
import { createOrderRequest, prepareOperations } from './operations.ts';
import { option } from './options.ts';
import type { WriteRows } from './programs/baseline-database.ts';
import type { LoadOptions, LoadResult } from './programs/load.ts';
import { serve } from './service.ts';
import { median } from './stats.ts';

const ROUNDS = Number(option('rounds', '5'));
const SECONDS = 5;
const CLIENTS = 12;
const CONNECTIONS = 32;

const database = await temporaryDatabase('postgres', 'pgbench');
const store = await storeWith(database, 10_000);
const { operations, cleanUp } = await prepareOperations(database, store);
const create = operations.find(({ name }) => name === 'create')?.baseline;
if (create?.kind !== 'create') throw new Error('no operation creates orders');
const db = database.open();
// Above the numbers that the service assigns.
await db.run(sql`create sequence bench_numbers as integer start 1000000000`);

const dir = mkdtempSync(join(tmpdir(), 'store-sales-bench-'));
const script = join(dir, 'create.sql');
writeFileSync(script, pgbenchScript(create.rows));

/** One transaction of pgbench. */
function pgbenchScript({ storeId, endpointId, keyId, statuses, paymentStatusId, ...rows }: WriteRows): string {
  // pgbench also replaces what looks like a variable inside a text.
  const text = (value: string) =>
    `E'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll(':', '\\x3a')}'`;
  const { document_head, document, document_rest, document_tail } = rows.document;
  const terms = rows.terms.map(text).join(', ');
  const at = Date.now();
  const line = (position: number) =>
    `(${text(storeId)}, :id, ${position}, gen_random_uuid(), ${text(rows.productId)}, 1, 10000, 0, 10000)`;
  return `begin;
insert into orders (store_id, id, number, external_id, created_at, updated_at, seq, status_id, payment_status_id, customer_id, source, total_amount, document_head, document, document_rest, document_tail, items) values (${text(storeId)}, gen_random_uuid(), nextval('bench_numbers'), null, ${at}, ${at}, currval('bench_numbers'), ${text(statuses[0] as string)}, ${text(paymentStatusId)}, null, 'api', 20000, ${[document_head, document, document_rest, document_tail, rows.items].map(text).join(', ')}) returning id, number \\gset
insert into order_lines (store_id, order_id, position, id, product_id, quantity, unit_price, discount, line_total) values ${line(0)}, ${line(1)};
insert into order_search (store_id, number, terms) values (${text(storeId)}, :number, array_to_tsvector(array[${terms}]));
insert into events (store_id, id, type, order_id, external_id, details, actor_kind, actor_id, created_at, seq) values (${text(storeId)}, gen_random_uuid(), 'order.created', :id, '', '{}', 'key', ${text(keyId)}, ${at}, :number) returning id as event \\gset
insert into deliveries (store_id, id, endpoint_id, event_id, status, next_attempt_at, settled_at, created_at) values (${text(storeId)}, gen_random_uuid(), ${text(endpointId)}, :event, 'pending', ${at}, null, ${at});
commit;
`;
}

function runPgbench(): number {
  const options = ['-n', '-M', 'prepared', '-c', String(CLIENTS), '-j', '2', '-T', String(SECONDS), '-f', script];
  const output = execFileSync('pgbench', [...options, database.env.DATABASE_URL as string], { encoding: 'utf8' });
  const found = /tps = ([\d.]+)/.exec(output);
  if (!found) throw new Error(`pgbench printed no rate: ${output}`);
  return Number(found[1]);
}

const service = await serve(database, {}, ['--no-dispatch']);
const load = forkProgram<LoadOptions, LoadResult>('load');
const port = Number(new URL(service.url).port);
const requests = [createOrderRequest(store.key)];
const rates: { service: number; pgbench: number }[] = [];
for (let round = 0; round <= ROUNDS; round++) {
  const { perSecond, failures } = await load.call({ port, connections: CONNECTIONS, requests, seconds: SECONDS });
  if (failures) throw new Error(`${failures} orders failed`);
  const rate = { service: perSecond, pgbench: runPgbench() };
  // The first round is the warm-up.
  if (round) rates.push(rate);
}
const medianOf = (pick: (rate: (typeof rates)[number]) => number) => median(rates.map(pick));
console.log(`\n| | service/s | pgbench/s, ${CLIENTS} clients | ratio |\n|---|---|---|---|`);
console.log(
  `| create | ${medianOf(({ service }) => service).toFixed(0)} | ${medianOf(({ pgbench }) => pgbench).toFixed(0)} | ${medianOf(({ service, pgbench }) => service / pgbench).toFixed(2)} |`,
);
load.stop();
await service.stop();
await db.close();
await cleanUp();
rmSync(dir, { recursive: true, force: true });
await database.remove();
