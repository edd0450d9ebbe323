import type * as generated from './contract.generated.ts';
import type { OneProductKey, ProductKey } from './orders.ts';
import type { Call, CreateOptions } from './transport.ts';

/** The stock of one product, by one of its keys: the quantity that is there now, or the change. */
export type StockLine = Omit<generated.StockLine, ProductKey | 'quantity' | 'change'> &
  OneProductKey &
  ({ quantity: number; change?: never } | { change: number; quantity?: never });

export const stock = (call: Call) => ({
  /** Changes all lines or none, and returns the new quantities. Retried without being carried out twice. */
  change: async (change: { lines: StockLine[] }, options?: CreateOptions): Promise<generated.StockQuantity[]> =>
    (await call('changeStock', { body: change }, options)).data,
});
