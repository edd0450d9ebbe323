import type { Database, Queryable } from '../db/database.ts';
import { Cells } from '../imports/cells.ts';
import { applyRow, distinct, importRecords, type RecordKind } from '../imports/records.ts';
import { changeOf, type ImportOptions, type Report } from '../imports/report.ts';
import type { TableForm, TableRow } from '../imports/table.ts';
import { yieldToEventLoop } from '../time/pace.ts';
import { emailKey, phoneKey } from './contact.ts';
import * as queries from './import.queries.ts';
import { termChange } from './search-terms.ts';

export type CustomerColumn = 'externalId' | 'name' | 'phone' | 'email';

export const customerTable: TableForm<CustomerColumn> = {
  columns: ['externalId', 'name', 'phone', 'email'],
  keys: ['externalId', 'phone'],
  aliases: {
    ...{ внешнийid: 'externalId', внешнийкод: 'externalId', id: 'externalId' },
    ...{ имя: 'name', фио: 'name', покупатель: 'name', клиент: 'name', customer: 'name', fullname: 'name' },
    ...{ телефон: 'phone', phonenumber: 'phone', электроннаяпочта: 'email', почта: 'email' },
  },
};

type Row = TableRow<CustomerColumn>;

/** Maximum customers with the same phone that are considered for a row, of all and of those without an external id. */
const MAX_SHARED = 10;
/** Maximum customers with the same phone that are searched for those without an external id. */
const MAX_SEARCHED = 100;

/**
 * Imports customers, matched by `externalId`; a customer without an external id (created by an order) is also matched
 * by phone, compared as when an order is matched, and then gets the external id of the row. A phone may be shared:
 * under another external id it is another customer. Of those who share one, the oldest are considered (`MAX_SHARED`).
 */
export const importCustomers = (
  db: Database,
  storeId: string,
  rows: AsyncIterable<Row>,
  options: ImportOptions,
): Promise<Report> =>
  importRecords(
    db,
    customerRecords,
    {
      storeId,
      rows,
      async read(at, batch, drafts) {
        const found = await find(at, storeId, {
          externalIds: distinct(batch, ({ externalId }) => externalId?.trim()),
          phoneKeys: distinct(batch, ({ phone }) => phoneKey(phone ?? '')),
        });
        const byPhone = Map.groupBy(drafts.load(found.sort(oldestFirst)), ({ fields }) => fields.phone_key);
        // A file has no two rows for a phone, unless both have an external id, so only customers that no row has changed
        // are matched by it.
        const withPhone = ({ external_id, phone_key = null }: Partial<queries.CustomerFields>) =>
          (phone_key === null ? [] : (byPhone.get(phone_key) ?? [])).find(
            (draft) => !drafts.isTouched(draft) && !(external_id && draft.fields.external_id),
          );
        return (row) => {
          const fields = fieldsOf(row);
          const known = drafts.find('externalId', fields.external_id) ?? withPhone(fields);
          return applyRow(drafts, known, { ...(known?.fields ?? blank), ...fields }, (before, after) =>
            options.onChange?.(() => changeOf(row.line, before, after, columns)),
          );
        };
      },
    },
    options,
  );

const customerRecords: RecordKind<queries.CustomerFields, 'phone', 'externalId'> = {
  records: 'customers',
  second: { column: 'phone', keyOf: phoneKey },
  keysOf: ({ external_id: externalId }) => ({ externalId }),
  isSame: (a, b) => a.external_id === b.external_id && a.name === b.name && a.phone === b.phone && a.email === b.email,
  freeKeys: queries.freeExternalIds,
  write: queries.writeCustomers,
  termChange,
};

const blank: queries.CustomerFields = {
  ...{ external_id: null, name: '', phone: '', phone_key: null, email: '', email_key: null },
};
const columns = { name: 'name', phone: 'phone', email: 'email', externalId: 'external_id' } as const;

/** As when an order is matched. */
const oldestFirst = (a: queries.StoredCustomer, b: queries.StoredCustomer) =>
  a.created_at - b.created_at || (a.id < b.id ? -1 : 1);

interface CustomerLookup {
  externalIds: readonly string[];
  phoneKeys: readonly string[];
}

/** In short statements, even if hundreds share each phone, because on SQLite each statement blocks other writers. */
async function find(db: Queryable, storeId: string, { externalIds, phoneKeys }: CustomerLookup) {
  const found = new Set(await queries.idsByExternalId(db, storeId, externalIds));
  const shared = { oldest: MAX_SHARED, searched: MAX_SEARCHED };
  for (let start = 0; start < phoneKeys.length; start += 200) {
    for (const id of await queries.idsByPhone(db, storeId, phoneKeys.slice(start, start + 200), shared)) found.add(id);
    await yieldToEventLoop();
  }
  const ids = [...found].sort();
  const customers: queries.StoredCustomer[] = [];
  for (let start = 0; start < ids.length; start += 1000) {
    customers.push(...(await queries.readCustomers(db, storeId, ids.slice(start, start + 1000))));
    await yieldToEventLoop();
  }
  return customers;
}

/** The fields that a row sets. */
function fieldsOf(row: Row): Partial<queries.CustomerFields> {
  const cells = new Cells(row);
  const external_id = cells.key('externalId');
  const name = cells.text('name', 200);
  const phone = cells.text('phone', 50);
  const email = cells.email('email');
  const phone_key = phoneKey(phone ?? '');
  if (phone && !phone_key) cells.reject('phone', { code: 'no_digit', params: {} });
  cells.throwIfAny();
  if (!external_id && !phone_key) cells.reject(null, { code: 'key_required', params: { columns: customerTable.keys } });
  cells.throwIfAny();
  return {
    ...(external_id !== undefined && { external_id }),
    ...(name !== undefined && { name }),
    ...(phone !== undefined && { phone, phone_key }),
    ...(email !== undefined && { email, email_key: emailKey(email) }),
  };
}
