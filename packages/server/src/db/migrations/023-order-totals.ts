/** The index for sorting orders by total, and the total in the index that orders are counted from by payment status. */
export const orderTotals = {
  name: 'order-totals',
  statements(): string[] {
    return [
      'create index orders_total on orders (store_id, total_amount, number)',
      'drop index orders_status_payment_created',
      `create index orders_status_payment_created
         on orders (store_id, status_id, payment_status_id, created_at, number, total_amount)`,
    ];
  },
};
