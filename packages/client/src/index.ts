export { StoreSales } from './client.ts';
export type { Collection, Listed, Listing, SyncOptions } from './collection.ts';
export type * from './contract.generated.ts';
export {
  AuthenticationError,
  ConflictError,
  ConnectionError,
  hasCode,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServiceError,
  StoreSalesError,
  type StoreSalesErrorCode,
  ValidationError,
} from './errors.ts';
export type * from './operations.ts';
export type {
  ChangeOptions,
  OrderChange,
  OrderChangeItem,
  OrderCreate,
  OrderCreateItem,
  Orders,
  OrderWithItems,
} from './orders.ts';
export type { RetryOptions } from './retry.ts';
export type { StockLine } from './stock.ts';
export type { Batch } from './sync.ts';
export {
  type AttemptDetails,
  type CallOptions,
  type CreateOptions,
  type Hooks,
  type RequestOptions,
  type ResponseDetails,
  responseOf,
  type StoreSalesOptions,
} from './transport.ts';
