/**
 * The shapes that the console and its server exchange. Private: not part of the public contract, and free to
 * change with both sides at once.
 */
export * from './account.ts';
export * from './catalog.ts';
export * from './customers.ts';
export * from './errors.ts';
export * from './history.ts';
export * from './home.ts';
export * from './imports.ts';
export * from './keys.ts';
export * from './orders.ts';
export * from './references.ts';
export * from './stores.ts';
export * from './webhooks.ts';
