import type { Queryable } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { rowTable } from '../db/write/row-table.ts';
import { wake } from './wake.ts';

export const mailRows = {
  ...rowTable('mails', {
    store_id: 'uuid',
    id: 'uuid',
    kind: 'text',
    recipient: 'text',
    limit_key: 'text',
    language: 'text',
    params: 'text',
    secret: 'text',
    state: 'text',
    next_attempt_at: 'instant',
    created_at: 'instant',
    expires_at: 'instant',
  }),
  onCommit: wake,
};

const countOf = (row: { count: number } | undefined) => Number(row?.count ?? 0);

export const countToRecipient = async (db: Queryable, limitKey: string, kind: string, since: number) =>
  countOf(
    await db.one(
      sql`select count(*) as count from mails
          where limit_key = ${limitKey} and kind = ${kind} and created_at > ${since}`,
    ),
  );

export const countOfStore = async (db: Queryable, storeId: string, kind: string, since: number) =>
  countOf(
    await db.one(
      sql`select count(*) as count from mails
          where store_id = ${storeId} and kind = ${kind} and created_at > ${since}`,
    ),
  );
