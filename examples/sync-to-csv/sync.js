// Two ways: orders of the store into a CSV file, and statuses changed in that file back to the store.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { hasCode, StoreSales } from '@store-sales/client';
import { asText, parse, stringify } from './csv.js';

const file = process.argv[2] ?? 'orders.csv';
const client = new StoreSales({ baseUrl: process.env.STORE_SALES_URL, apiKey: process.env.STORE_SALES_KEY });

/** A status made through the API has no code; its id stands for it. */
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
  // What was last seen in the store. A cell that differs from it was changed by hand.
  storeStatus: (order) => codeOf(order.status),
  storePaymentStatus: (order) => codeOf(order.paymentStatus),
  id: (order) => order.id,
};
const rowOf = (order) => Object.fromEntries(Object.entries(columns).map(([name, cell]) => [name, String(cell(order))]));

const read = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');
/** Written beside and renamed, so that a crash never leaves half a file. */
function write(path, text) {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

const rows = new Map(parse(read(file)).map((row) => [row.id, row]));
const counts = { sent: 0, received: 0, refused: 0 };

for (const row of rows.values()) await sendChanges(row);
for await (const { records, bookmark } of client.orders.sync({ bookmark: read(`${file}.bookmark`).trim() })) {
  for (const order of records) rows.set(order.id, rowOf(order));
  counts.received += records.length;
  // The rows before the bookmark: if the second is lost, the same rows come once more and change nothing.
  save();
  write(`${file}.bookmark`, bookmark);
}
save();
console.log(`${counts.sent} sent, ${counts.received} received, ${counts.refused} refused`);

function save() {
  const sorted = [...rows.values()].sort((a, b) => Number(a.number) - Number(b.number));
  write(file, stringify(Object.keys(columns), sorted));
}

/** Where both sides have changed the same thing, the store's word stands. */
async function sendChanges(row) {
  if (row.status === row.storeStatus && row.paymentStatus === row.storePaymentStatus) return;
  try {
    const order = await client.orders.get(row.id);
    const change = {
      ...changed('status', row.status, row.storeStatus, codeOf(order.status)),
      ...changed('paymentStatus', row.paymentStatus, row.storePaymentStatus, codeOf(order.paymentStatus)),
    };
    if (!Object.keys(change).length) return rows.set(row.id, rowOf(order));
    // Only if it is still the order that was just looked at.
    rows.set(row.id, rowOf(await client.orders.change(row.id, change, { ifMatch: order })));
    counts.sent++;
  } catch (error) {
    if (!hasCode(error, 'invalid_body', 'precondition_failed', 'not_found')) throw error;
    report(`order ${row.number}: ${error.message}`);
  }

  function changed(name, wanted, before, present) {
    if (wanted === before || wanted === present) return {};
    if (present === before) return { [/^[0-9a-f-]{36}$/.test(wanted) ? `${name}Id` : name]: wanted };
    report(`order ${row.number}: ${name} became ${present} in the store meanwhile; ${wanted} was not sent`);
    return {};
  }
}

function report(message) {
  console.error(message);
  counts.refused++;
  process.exitCode = 1;
}
