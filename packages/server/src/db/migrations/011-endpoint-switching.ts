import { columnTypes, type Engine } from './frozen.ts';

/**
 * `is_stopping`: the endpoint is disabled, and some of its deliveries still have to be stopped, which takes more than
 * one transaction. `older_secrets`: earlier values of `previous_secret` and the time until which each still signs, as
 * encrypted JSON.
 */
export const endpointSwitching = {
  name: 'endpoint-switching',
  statements: (engine: Engine): string[] => [
    `alter table webhook_endpoints add column is_stopping ${columnTypes[engine].boolean} not null default false`,
    `alter table webhook_endpoints add column older_secrets ${columnTypes[engine].text}`,
    'create index webhook_endpoints_stopping on webhook_endpoints (id) where is_stopping',
  ],
};
