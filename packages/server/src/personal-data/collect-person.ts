import { keysInUse, mergedCustomers } from '../customers/erase.ts';
import type { Queryable } from '../db/database.ts';
import { ordersOfPerson } from '../orders/write/erase-orders.ts';
import { yieldToEventLoop } from '../time/pace.ts';
import { type Contact, Person } from './person.ts';

export type { Contact };

/** Contacts that are remembered for an erasure that is cut off. */
const MAX_FOUND = 500;

interface Start {
  storeId: string;
  /** Of the customer that was not merged. */
  id: string;
  /** What is known already. */
  contacts: readonly Contact[];
  until: number;
}

/** Everything by which a person is recognized: the contacts of the customer, of those merged into it, and of their orders. */
export async function collectPerson(db: Queryable, { storeId, id, contacts, until }: Start) {
  const person = new Person(until);
  const found = new Map<string, Contact>();
  const add = ({ name, phone, email }: Contact, texts: readonly string[] = []) => {
    const contact = { name, phone, email };
    person.add(contact, texts);
    if (found.size < MAX_FOUND) found.set(JSON.stringify(contact), contact);
  };
  for (const contact of contacts) add(contact);
  person.ids.add(id);
  for await (const page of mergedCustomers(db, storeId, id))
    for (const customer of page) {
      person.ids.add(customer.id);
      add(customer);
    }
  for (const customerId of person.ids)
    for await (const page of ordersOfPerson(db, storeId, customerId)) {
      for (const { number, document } of page) {
        person.orders.add(number);
        add(document.customer, [document.delivery.address]);
      }
      await yieldToEventLoop();
    }
  // A phone that an import gave to two customers is also that of the other one.
  person.remove(await keysInUse(db, storeId, id, person, until));
  return { person, found: [...found.values()] };
}
