import { useEffect, useRef, useState } from 'react';
import { call, isUncertain } from '../../api/client.ts';
import { hasChanges } from '../../shell/conflict.ts';
import { readDraft, writeDraft } from '../../shell/drafts.ts';
import { blank, type Draft, toOrderCreate, useDraftForm } from './new-order-draft.ts';

/** `crypto.randomUUID` is missing where the console is served without https. */
const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** What is kept over a reload. */
interface Kept {
  values: Draft;
  idempotencyKey?: string | undefined;
}

/** A draft of an older console may lack fields. */
const complete = (values: Draft): Draft => ({
  ...blank,
  ...values,
  customer: { ...blank.customer, ...values.customer },
  delivery: { ...blank.delivery, ...values.delivery },
});

/** The form of a new order, kept as a draft until the order is created or the user discards it. */
export function useNewOrder(storeId: string) {
  const name = `order:${storeId}`;
  const [kept] = useState(() => readDraft<Kept>(name));
  const [isRestored, setRestored] = useState(kept !== undefined);
  const idempotencyKey = useRef(kept?.idempotencyKey);
  const form = useDraftForm(kept ? complete(kept.values) : blank);

  function keep() {
    const values = form.getValues();
    writeDraft(name, hasChanges(blank, values) ? { values, idempotencyKey: idempotencyKey.current } : undefined);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, so that a restored draft counts as unsaved
  useEffect(() => form.setInitialValues(blank), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: on every change of the values
  useEffect(keep, [form.values]);
  const remove = () => writeDraft(name, undefined);

  return {
    form,
    isRestored,
    remove,
    discard() {
      setRestored(false);
      idempotencyKey.current = undefined;
      form.setValues(blank);
      form.clearErrors();
    },
    /**
     * Creates the order. The key stays the same until the outcome is known, so that a repeated attempt after a lost
     * response does not create a second order.
     */
    async send(values: Draft) {
      idempotencyKey.current ??= newKey();
      keep();
      try {
        const created = await call('POST /stores/{storeId}/orders', {
          params: { storeId },
          body: toOrderCreate(values),
          headers: { 'Idempotency-Key': idempotencyKey.current },
        });
        remove();
        return created;
      } catch (error) {
        if (!isUncertain(error)) idempotencyKey.current = undefined;
        keep();
        throw error;
      }
    },
  };
}
