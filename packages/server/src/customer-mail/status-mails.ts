import type { SaveStatusMail, StatusMail } from '@store-sales/contract/console';
import type { Actor } from '../actor.ts';
import type { Database, Queryable } from '../db/database.ts';
import { asUuid } from '../db/uuid.ts';
import { FieldErrors, notFound } from '../domain-error.ts';
import { recordHistory } from '../history/history.ts';
import * as queries from './customer-mail.queries.ts';

const view = ({ status_id, is_enabled, text_en, text_ru }: queries.StatusMailRow): StatusMail => ({
  statusId: status_id,
  isEnabled: is_enabled,
  textEn: text_en,
  textRu: text_ru,
});

export const listStatusMails = async (db: Queryable, storeId: string): Promise<StatusMail[]> =>
  (await queries.listStatusMails(db, storeId)).map(view);

/** Whether and what customers are told when their order gets the status. */
export async function saveStatusMail(
  db: Database,
  storeId: string,
  statusId: string,
  sent: SaveStatusMail,
  actor: Actor,
  now: number,
): Promise<StatusMail> {
  const errors = new FieldErrors();
  const row = {
    status_id: asUuid(statusId) ?? '',
    is_enabled: sent.isEnabled,
    text_en: sent.textEn.trim(),
    text_ru: sent.textRu.trim(),
  };
  if (row.is_enabled && !row.text_en && !row.text_ru) errors.add('/textEn', 'required', 'is required in one language');
  errors.throwIfAny();
  await db.transaction(
    async (tx) => {
      await tx.lock(storeId, [`status mail ${row.status_id}`]);
      const status = row.status_id ? await queries.findStatus(tx, storeId, row.status_id) : undefined;
      if (!status) throw notFound('order status');
      const before = await queries.enabledTexts(tx, storeId, row.status_id);
      await queries.saveStatusMail(tx, storeId, row, now);
      if (!before === !row.is_enabled) return;
      const details = { customerMail: [!row.is_enabled, row.is_enabled] };
      const subject = { kind: 'order_status', id: status.id, name: status.name } as const;
      await recordHistory(tx, { scopeId: storeId, actor, action: 'changed', subject, details, at: now });
    },
    { storeId },
  );
  return view(row);
}
