import { Box, Divider } from '@mantine/core';
import type { OrderDetails } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { orderQuery } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { OtherChange } from '../../shell/conflict.ts';
import { ConflictAlert } from '../../shell/conflict-alert.tsx';
import { FormDialog } from '../../shell/form.tsx';
import { useMoney } from '../../shell/money.ts';
import { notify } from '../../shell/notify.tsx';
import { paymentTypeName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { DeliveryFields, PaymentFields } from './amount-fields.tsx';
import { changedParts, draftOf, rebase, toOrderChange } from './edit-items-draft.ts';
import { NewItems } from './new-items.tsx';
import { type Draft, useDraftForm } from './new-order-draft.ts';
import { DraftTotals } from './new-order-summary.tsx';
import { useChangeOrder } from './use-change-order.ts';

const labels = {
  items: 'orders.items',
  deliveryType: 'orders.deliveryType',
  deliveryCost: 'orders.deliveryCost',
  paymentType: 'orders.paymentType',
  promoCode: 'orders.promoCode',
  discount: 'orders.orderDiscount',
} as const;

/** Edits the items of an order and everything that its total depends on. */
export default function EditItems({ details, onClose }: { details: OrderDetails; onClose(): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { id: storeId } = useStore();
  const change = useChangeOrder(details.order.id);
  const describe = useDescription();
  // The version that this person sees in the form, which may be older than the cached one.
  const [base, setBase] = useState(details);
  const [others, setOthers] = useState<OtherChange[]>();
  const before = draftOf(base);
  const form = useDraftForm(before);
  const { order } = base;

  async function save(draft: Draft) {
    const changed = toOrderChange(draft, before);
    if (!changed) return;
    try {
      await change(changed, base.etag);
    } catch (error) {
      const latest = queryClient.getQueryData(orderQuery(storeId, order.id).queryKey);
      if (latest && error instanceof ApiError && error.code === 'precondition_failed') showLatest(latest);
      throw error;
    }
  }

  function showLatest(latest: OrderDetails) {
    const theirs = draftOf(latest);
    const described = describe(latest);
    form.setInitialValues(theirs);
    form.setValues(rebase(form.getValues(), before, theirs));
    setBase(latest);
    setOthers(changedParts(theirs, before).map((field) => ({ field, theirs: described[field] })));
  }

  const submission = useSubmit(form, save, () => {
    notify(t('orders.saved'));
    onClose();
  });
  const isConflict = submission.error instanceof ApiError && submission.error.code === 'precondition_failed';
  const deliveryType = order.delivery.typeId ? { id: order.delivery.typeId, name: order.delivery.type } : undefined;
  return (
    <FormDialog
      submission={others && isConflict ? { ...submission, problem: undefined } : submission}
      title={t('orders.editItems')}
      size="xl"
      gap="lg"
      action={t('common.save')}
      onClose={onClose}
    >
      <NewItems form={form} />
      <Divider />
      <DeliveryFields form={form} current={deliveryType} />
      <PaymentFields form={form} current={order.paymentType ?? undefined} />
      <Box pt="md" style={{ borderTop: '1px solid var(--console-border)' }}>
        <DraftTotals draft={form.values} own={{ code: order.promoCode, applied: base.promo }} />
      </Box>
      <ConflictAlert changes={others} labelOf={(field) => t(labels[field as keyof typeof labels])} />
    </FormDialog>
  );
}

/** The editable parts of an order as text. */
function useDescription() {
  const { t } = useTranslation();
  const { money } = useMoney();
  return ({ order, promo }: OrderDetails) => {
    const { items = [], delivery, paymentType, promoCode, discountTotal } = order;
    return {
      items: items.map(({ name, quantity }) => `${name} × ${quantity}`).join(', '),
      deliveryType: delivery.type,
      deliveryCost: money(delivery.cost - delivery.discount),
      paymentType: paymentType ? paymentTypeName(paymentType, t) : '',
      promoCode,
      discount: money(items.reduce((rest, { discount }) => rest - discount, discountTotal - (promo?.discount ?? 0))),
    };
  };
}
