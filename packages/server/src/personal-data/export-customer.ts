import type { Order } from '@store-sales/contract';
import { readCustomer } from '../customers/customers.ts';
import { mergedCustomers } from '../customers/erase.ts';
import type { Queryable } from '../db/database.ts';
import { entriesAbout } from '../history/entries-about.ts';
import { keptResponses } from '../http/kept-responses.ts';
import { mailsAbout } from '../mail/mails-about.ts';
import { readOrder } from '../orders/read/read-order.ts';
import { viewsAbout } from '../orders/views/views-about.ts';
import { messagesOf, ordersOfPerson } from '../orders/write/erase-orders.ts';
import { requestsAbout } from '../requests/requests-about.ts';
import { iso } from '../time/instant.ts';
import { responses } from '../webhooks/log/delivery-log.ts';
import { collectPerson } from './collect-person.ts';
import { isAbout } from './kept-response.ts';

/** A member of the exported document: a value, or a list that is written while it is read. */
type Member = [name: string, value: unknown] | [name: string, list: () => AsyncIterable<unknown[]>];

/**
 * All that is kept about a person, as one JSON document: what an erasure removes. Orders are read while they are written,
 * so memory does not grow with them.
 */
export async function* exportCustomer(
  db: Queryable,
  { storeId, id, now }: { storeId: string; id: string; now: number },
): AsyncGenerator<string> {
  const { person } = await collectPerson(db, { storeId, id, contacts: [], until: now });
  const members: Member[] = [
    ['exportedAt', iso(now)],
    ['storeId', storeId],
    ['customer', await readCustomer(db, storeId, id)],
    ['mergedCustomers', () => merged(db, storeId, id)],
    ['orders', () => orders(db, storeId, person.ids)],
    [
      'history',
      () =>
        mapped(entriesAbout(db, storeId, person), ({ action, subject_name, details, created_at }) => ({
          at: iso(created_at),
          action,
          name: subject_name,
          details: JSON.parse(details) as unknown,
        })),
    ],
    ['mails', () => mails(db, storeId, person)],
    [
      'requests',
      () =>
        mapped(requestsAbout(db, storeId, person), ({ received_at, method, route, status, query, problem }) => ({
          at: iso(received_at),
          method,
          route,
          status,
          query,
          problem: problem === null ? null : (JSON.parse(problem) as unknown),
        })),
    ],
    ['savedViews', await viewsAbout(db, storeId, person.isNamed)],
    ['keptResponses', () => kept(db, storeId, person.ids)],
  ];
  for (const [index, [name, value]] of members.entries()) {
    yield `${index ? ',' : '{'}\n${JSON.stringify(name)}:`;
    if (typeof value !== 'function') {
      yield JSON.stringify(value);
      continue;
    }
    let separator = '[';
    for await (const page of (value as () => AsyncIterable<unknown[]>)())
      for (const each of page) {
        yield `${separator}\n${JSON.stringify(each)}`;
        separator = ',';
      }
    yield separator === '[' ? '[]' : ']';
  }
  yield '\n}\n';
}

async function* merged(db: Queryable, storeId: string, id: string) {
  for await (const page of mergedCustomers(db, storeId, id))
    for (const customer of page) yield [await readCustomer(db, storeId, customer.id)];
}

/** As in the API, each with what was written to the customer, and what receivers of webhooks responded to its events. */
async function* orders(db: Queryable, storeId: string, customerIds: Iterable<string>) {
  for (const customerId of customerIds)
    for await (const page of ordersOfPerson(db, storeId, customerId))
      for (const { id } of page) {
        const { body } = await readOrder(db, storeId, id);
        const { data } = JSON.parse(body.toString()) as { data: Order };
        const webhookResponses = (await responses(db, storeId, [id])).map((response) => ({
          at: iso(response.started_at),
          status: response.response_status,
          body: response.response_body,
        }));
        yield [{ ...data, messages: await messagesOf(db, storeId, id), webhookResponses }];
      }
}

async function* mails(db: Queryable, storeId: string, person: Parameters<typeof mailsAbout>[2]) {
  for await (const { received, naming } of mailsAbout(db, storeId, person))
    yield [...received, ...naming.map(({ mail }) => mail)].map(({ kind, recipient, state, created_at }) => ({
      at: iso(created_at),
      kind,
      recipient,
      state,
    }));
}

async function* kept(db: Queryable, storeId: string, ids: ReadonlySet<string>) {
  for await (const { path, body, created_at } of keptResponses(db, storeId, (each) => isAbout(each.body, ids)))
    yield [{ at: iso(created_at), path, body: JSON.parse(body ?? 'null') as unknown }];
}

async function* mapped<Row, Shown>(pages: AsyncIterable<Row[]>, show: (row: Row) => Shown) {
  for await (const page of pages) yield page.map(show);
}
