/** Events that an endpoint can subscribe to. */
export const eventTypes = {
  'order.created': 'An order is created (from the site, by hand or through the API)',
  'order.status_changed': 'The status of an order changes',
  'order.payment_status_changed': 'The payment status of an order changes',
} as const;
export type EventType = keyof typeof eventTypes;
export const isEventType = (value: string): value is EventType => Object.hasOwn(eventTypes, value);

export const eventHeaders = {
  event: 'X-Service-Event',
  delivery: 'X-Service-Delivery',
  signature: 'X-Service-Signature',
} as const;

/** The headers of Standard Webhooks, for receivers that use its libraries. The id is that of the event. */
export const standardHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;
