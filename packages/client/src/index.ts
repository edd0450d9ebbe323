export { StoreSales } from './client.ts';
export type { Collection, Listed, SyncOptions } from './collection.ts';
export type * from './contract.generated.ts';
export { hasCode, StoreSalesError, type StoreSalesErrorCode } from './errors.ts';
export type * from './operations.ts';
export type { ChangeOptions, Orders, OrderWithItems } from './orders.ts';
export type { RetryOptions } from './retry.ts';
export type { Batch } from './sync.ts';
export {
  type CallOptions,
  type CreateOptions,
  type ResponseDetails,
  responseOf,
  type StoreSalesOptions,
} from './transport.ts';
