/**
 * What waits, by endpoint and time and nothing else. With the store in it the queue answered `store and endpoint`, as the
 * log of an endpoint does, and PostgreSQL took the one for the other where its statistics did not know the endpoint: every
 * look at what is due then read all that was ever delivered.
 */
export const queueOfEndpoint = {
  name: 'queue-of-endpoint',
  statements: () => [
    'drop index deliveries_queue',
    "create index deliveries_queue on deliveries (endpoint_id, next_attempt_at) where status = 'pending'",
  ],
};
