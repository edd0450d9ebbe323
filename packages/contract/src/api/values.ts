/** 2^53 − 1: JavaScript clients cannot represent larger integers exactly. */
export const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

export const sortOrders = ['createdAt:desc', 'createdAt:asc', 'updatedAt:desc', 'updatedAt:asc'] as const;
export type SortOrder = (typeof sortOrders)[number];

export const deliveryKinds = ['carrier', 'pickup', 'courier'] as const;

/** Stages of an order, in sequence. Each has one system status, with the same code. */
export const statusGroups = ['new', 'packing', 'delivering', 'completed', 'cancelled', 'returned'] as const;
export type StatusGroup = (typeof statusGroups)[number];

/** Origins of an order. */
export const orderSources = ['api', 'manual', 'site'] as const;

/** What a code of a record may consist of. */
export const CODE = '^[a-z0-9_-]{1,64}$';

/**
 * An https address in which `{number}` stands for the number of a parcel, or empty. The part before it contains none, so
 * that a mismatch takes linear time.
 */
export const TRACKING_TEMPLATE = '^(https://[^/?#@{}\\\\\\s]+[/?](?:(?!\\{number\\})[^\\s])*\\{number\\}[^\\s]*)?$';
