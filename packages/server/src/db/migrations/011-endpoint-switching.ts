import type { Dialect } from '../dialect.ts';

/**
 * `is_stopping`: the endpoint is off and some of its deliveries still have to be stopped, which takes more than one
 * transaction. `older_secrets`: what `previous_secret` held before, with the time until which each still signs; one sealed
 * text of JSON.
 */
export const endpointSwitching = {
  name: 'endpoint-switching',
  statements: ({ types: { truth, text } }: Dialect): string[] => [
    `alter table webhook_endpoints add column is_stopping ${truth} not null default false`,
    `alter table webhook_endpoints add column older_secrets ${text}`,
    'create index webhook_endpoints_stopping on webhook_endpoints (id) where is_stopping',
  ],
};
