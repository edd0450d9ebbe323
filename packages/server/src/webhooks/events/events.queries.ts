import type { Queryable } from '../../db/database.ts';
import { jsonPage, readJsonPage } from '../../db/lists/json-page.ts';
import type { Window } from '../../db/lists/list.ts';
import { preparedTemplate } from '../../db/prepared-template.ts';
import { raw, sql } from '../../db/sql.ts';

export const source = { table: 'events', createdTie: 'seq', syncOrder: 'createdAt:asc' } as const;

export const ofType = (type: string) => sql`t.type = ${type}`;
export const ofOrder = (orderId: string) => sql`t.order_id = ${orderId}`;

/** An event as it is sent to endpoints. */
const json = preparedTemplate(
  ({ quoted, iso }) =>
    sql`'{"id":"' || t.id || '","type":"' || t.type || '","createdAt":"' || ${iso(raw('t.created_at'))}
        || '","data":{"orderId":"' || t.order_id || '","externalId":' || ${quoted(raw('t.external_id'))} || '}}'`,
);

/** A page as response bytes. */
export const pageAsJson = (db: Queryable, window: Window) =>
  readJsonPage(db, window, jsonPage(db.dialect, window, { json: json(db.dialect) }));
