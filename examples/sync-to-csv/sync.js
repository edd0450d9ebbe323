// Writes the store's orders to a CSV file, and sends statuses changed in the file back to the store.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hasCode, StoreSales } from '@store-sales/client';
import { asText, parse, stringify } from './csv.js';

const file = process.argv[2] ?? 'orders.csv';
const client = new StoreSales({ baseUrl: process.env.STORE_SALES_URL, apiKey: process.env.STORE_SALES_KEY });

/** Custom statuses have no code; their id is used instead. */
const codeOf = (status) => status.code ?? status.id;

const columns = {
  number: (order) => order.number,
  externalId: (order) => asText(order.externalId),
  createdAt: (order) => order.createdAt,
  customer: (order) => asText(order.customer.name),
  total: (order) => (order.totalAmount / 100).toFixed(2),
  currency: (order) => order.currency,
  status: (order) => codeOf(order.status),
  paymentStatus: (order) => codeOf(order.paymentStatus),
  // The last known values of the store. A status that differs was edited in the file.
  storeStatus: (order) => codeOf(order.status),
  storePaymentStatus: (order) => codeOf(order.paymentStatus),
  id: (order) => order.id,
};
const rowOf = (order) => Object.fromEntries(Object.entries(columns).map(([name, cell]) => [name, String(cell(order))]));

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
/** Writes and renames, so that a crash never leaves half a file. */
function write(path, text) {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

const rows = new Map(parse(read(file)).map((row) => [row.id, row]));
const counts = { sent: 0, received: 0, rejected: 0 };

for (const row of rows.values()) await sendChanges(row);
for await (const { records, bookmark } of client.orders.sync({ bookmark: read(`${file}.bookmark`).trim() })) {
  for (const order of records) rows.set(order.id, rowOf(order));
  counts.received += records.length;
  // Rows first: if the bookmark is lost in a crash, the same rows are received again, which changes nothing.
  save();
  write(`${file}.bookmark`, bookmark);
}
save();
console.log(`${counts.sent} sent, ${counts.received} received, ${counts.rejected} rejected`);

function save() {
  const sorted = [...rows.values()].sort((a, b) => Number(a.number) - Number(b.number));
  write(file, stringify(Object.keys(columns), sorted));
}

/** If both sides changed the same status, the store wins. */
async function sendChanges(row) {
  if (row.status === row.storeStatus && row.paymentStatus === row.storePaymentStatus) return;
  try {
    const order = await client.orders.get(row.id);
    const change = {
      ...changed('status', row.status, row.storeStatus, codeOf(order.status)),
      ...changed('paymentStatus', row.paymentStatus, row.storePaymentStatus, codeOf(order.paymentStatus)),
    };
    if (!Object.keys(change).length) return rows.set(row.id, rowOf(order));
    // Fails if the order has changed since it was read.
    rows.set(row.id, rowOf(await client.orders.change(row.id, change, { ifMatch: order })));
    counts.sent++;
  } catch (error) {
    if (!hasCode(error, 'invalid_body', 'precondition_failed', 'not_found')) throw error;
    report(`order ${row.number}: ${error.message}`);
  }

  function changed(name, edited, lastKnown, current) {
    if (edited === lastKnown || edited === current) return {};
    if (current === lastKnown) return { [/^[0-9a-f-]{36}$/.test(edited) ? `${name}Id` : name]: edited };
    report(`order ${row.number}: ${name} is now ${current} in the store; ${edited} was not sent`);
    return {};
  }
}

function report(message) {
  console.error(message);
  counts.rejected++;
  process.exitCode = 1;
}
