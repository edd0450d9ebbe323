/**
 * Baseline without HTTP: reads run the service's own statement, writes insert the same rows into the same tables and
 * commit each order, in as few round trips as the driver allows.
 */
import { databaseFile } from '@store-sales/server/db/open';
import { uuid } from '@store-sales/server/db/uuid';
import type { DocumentParts } from '@store-sales/server/orders/document';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { handleMessages } from './handle-messages.ts';
import { stopwatch } from './stopwatch.ts';

export type DatabaseWork =
  | { kind: 'read'; text: string; values: unknown[][] }
  | { kind: 'create' | 'change'; rows: WriteRows };

export interface WriteRows {
  storeId: string;
  endpointId: string;
  keyId: string;
  statuses: string[];
  paymentStatusId: string;
  productId: string;
  document: DocumentParts;
  items: string;
  /** What a created order is found by. */
  terms: string[];
  orderIds: string[];
}

export interface DatabaseLoop {
  databaseUrl: string | undefined;
  dataDir: string;
  /** Concurrent workers; PostgreSQL only. */
  workers: number;
  seconds: number;
  work: DatabaseWork;
}

const TICK =
  'update store_clocks set seq = seq + 1, ts = ts + 1, last_number = last_number + ? where store_id = ? returning seq, ts, last_number';
const ORDER = `insert into orders (store_id, id, number, external_id, created_at, updated_at, seq, status_id, payment_status_id,
  customer_id, source, total_amount, document_head, document, document_rest, document_tail, items)
  values (?, ?, ?, null, ?, ?, ?, ?, ?, null, 'api', 20000, ?, ?, ?, ?, ?)`;
const LINES = `insert into order_lines (store_id, order_id, position, id, product_id, quantity, unit_price, discount, line_total)
  values (?, ?, 0, ?, ?, 1, 10000, 0, 10000), (?, ?, 1, ?, ?, 1, 10000, 0, 10000)`;
const CHANGE = `update orders set status_id = ?, document_head = ?, document = ?, document_rest = ?, document_tail = ?, updated_at = ?, seq = ?
  where store_id = ? and id = ?`;
const EVENT = `insert into events (store_id, id, type, order_id, external_id, details, actor_kind, actor_id, created_at, seq)
  values (?, ?, ?, ?, '', '{}', 'key', ?, ?, ?)`;
const DELIVERY = `insert into deliveries (store_id, id, endpoint_id, event_id, status, next_attempt_at, settled_at, created_at)
  values (?, ?, ?, ?, 'pending', ?, null, ?)`;
const SEARCH_SQLITE = `insert into order_search (rowid, terms)
  values ((select number from order_search_stores where store_id = ?) * 4294967296 + ?, ?)`;
const SEARCH_POSTGRES = `insert into order_search (store_id, number, terms) values (?, ?, array_to_tsvector(?::text[]))`;

interface Clock {
  seq: number;
  ts: number;
  last_number: number;
}

let serial = 0;

/** The statements of one write after the store clock's, with their values. */
function writeStatements(
  engine: 'sqlite' | 'postgres',
  kind: 'create' | 'change',
  rows: WriteRows,
  clock: Clock,
): [string, unknown[]][] {
  const { storeId, endpointId, keyId, statuses, paymentStatusId, productId, items, terms, orderIds } = rows;
  const { document_head, document, document_rest, document_tail } = rows.document;
  const parts = [document_head, document, document_rest, document_tail];
  const at = Number(clock.ts);
  const sequence = serial++;
  const id = kind === 'create' ? uuid(at) : (orderIds[sequence % orderIds.length] as string);
  const status = statuses[kind === 'create' ? 0 : 1 + (Math.floor(sequence / orderIds.length) % 2)];
  const event = uuid(at);
  return [
    ...(kind === 'create'
      ? ([
          [ORDER, [storeId, id, clock.last_number, at, at, clock.seq, status, paymentStatusId, ...parts, items]],
          [LINES, [storeId, id, uuid(at), productId, storeId, id, uuid(at), productId]],
          engine === 'sqlite'
            ? [SEARCH_SQLITE, [storeId, clock.last_number, terms.join(' ')]]
            : [SEARCH_POSTGRES, [storeId, clock.last_number, terms]],
        ] as [string, unknown[]][])
      : ([[CHANGE, [status, ...parts, at, clock.seq, storeId, id]]] as [string, unknown[]][])),
    [
      EVENT,
      [storeId, event, kind === 'create' ? 'order.created' : 'order.status_changed', id, keyId, at, Number(clock.seq)],
    ],
    [DELIVERY, [storeId, uuid(at), endpointId, event, at, at]],
  ];
}

function sqliteLoop({ dataDir, seconds, work }: DatabaseLoop): number {
  const db = new Sqlite(databaseFile(dataDir));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.pragma('foreign_keys = ON');
  db.pragma('busy_timeout = 5000');
  db.pragma('cache_size = -32000');
  const prepared = new Map<string, Sqlite.Statement>();
  const statement = (text: string) => {
    const found = prepared.get(text) ?? db.prepare(text);
    prepared.set(text, found);
    return found;
  };
  const once =
    work.kind === 'read'
      ? () => void statement(work.text).get(...(work.values[serial++ % work.values.length] as unknown[]))
      : () => {
          db.exec('begin immediate');
          const clock = statement(TICK).get(work.kind === 'create' ? 1 : 0, work.rows.storeId) as Clock;
          for (const [text, values] of writeStatements('sqlite', work.kind, work.rows, clock))
            statement(text).run(...values);
          db.exec('commit');
        };
  const start = performance.now();
  const elapsed = stopwatch();
  let count = 0;
  while (performance.now() < start + seconds * 1000) {
    once();
    count++;
  }
  const perSecond = count / elapsed();
  db.close();
  return perSecond;
}

const namedStatements = new Map<string, { name: string; text: string }>();
function named(text: string) {
  const cached = namedStatements.get(text);
  if (cached) return cached;
  let index = 0;
  const statement = {
    name: `b${namedStatements.size}`,
    text: text.includes('$1') ? text : text.replaceAll('?', () => `$${++index}`),
  };
  namedStatements.set(text, statement);
  return statement;
}

async function postgresLoop({ databaseUrl, workers, seconds, work }: DatabaseLoop): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10, pipeline: true } as pg.PoolConfig);
  async function write(kind: 'create' | 'change', rows: WriteRows) {
    const client = await pool.connect();
    const begun = client.query('begin');
    const { rows: clocks } = await client.query({ ...named(TICK), values: [kind === 'create' ? 1 : 0, rows.storeId] });
    const sent = writeStatements('postgres', kind, rows, clocks[0]).map(([text, values]) =>
      client.query({ ...named(text), values }),
    );
    await Promise.all([begun, ...sent, client.query('commit')]);
    client.release();
  }
  const once =
    work.kind === 'read'
      ? () => pool.query({ ...named(work.text), values: work.values[serial++ % work.values.length] as unknown[] })
      : () => write(work.kind, work.rows);
  const start = performance.now();
  const elapsed = stopwatch();
  let count = 0;
  const worker = async () => {
    while (performance.now() < start + seconds * 1000) {
      await once();
      count++;
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
  const perSecond = count / elapsed();
  await pool.end();
  return perSecond;
}

handleMessages(async (loop: DatabaseLoop) => (loop.databaseUrl ? postgresLoop(loop) : sqliteLoop(loop)));
