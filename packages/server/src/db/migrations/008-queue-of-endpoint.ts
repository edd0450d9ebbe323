/**
 * Removes the store from the index of pending deliveries. With it, PostgreSQL confused this index with that of the
 * delivery log when its statistics did not include the endpoint, and then read all past deliveries to find those due.
 */
export const queueOfEndpoint = {
  name: 'queue-of-endpoint',
  statements: () => [
    'drop index deliveries_queue',
    "create index deliveries_queue on deliveries (endpoint_id, next_attempt_at) where status = 'pending'",
  ],
};
