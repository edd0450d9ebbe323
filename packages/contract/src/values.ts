/** The values that the schemas allow, without the schemas: a browser that imports them loads no validator. */
export * from './api/rights.ts';
export * from './api/values.ts';
export * from './console/mail-text.ts';
export * from './console/values.ts';
export * from './webhooks/values.ts';
