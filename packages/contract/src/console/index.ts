/** The console's private API. Not part of the public contract: it can change at any time. */
export * from './account.ts';
export * from './catalog.ts';
export * from './customers.ts';
export * from './endpoints.ts';
export * from './errors.ts';
export * from './history.ts';
export * from './home.ts';
export * from './imports.ts';
export * from './keys.ts';
export * from './members.ts';
export * from './orders.ts';
export * from './references.ts';
export * from './search.ts';
export * from './second-factor.ts';
export * from './shop.ts';
export * from './stores.ts';
export * from './webhooks.ts';
