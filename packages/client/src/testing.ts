import { signatureHeader } from '@store-sales/contract/signature';
import { DELIVERY_HEADER, EVENT_HEADER, SIGNATURE_HEADER } from './contract.generated.ts';
import type { WebhookEvent } from './receive.ts';

/** A signing secret for tests. */
export const TEST_SECRET = 'whsec_b25seSBmb3IgdGVzdHMgb2YgYSByZWNlaXZlciEh';

export interface SigningOptions {
  /** The signing secret; several as during a rotation. Default: `TEST_SECRET`. */
  secret?: string | readonly string[] | undefined;
  /** When the attempt is made, in milliseconds. Default: now. */
  now?: number | undefined;
  /** The id of the delivery. Default: random. */
  delivery?: string | undefined;
}

/** The fields that matter in a test; the others are filled in. */
export type PartialEvent = { [Field in keyof WebhookEvent]?: WebhookEvent[Field] | undefined };

export interface SignedEvent {
  event: WebhookEvent;
  method: 'POST';
  /** As the service sends them, with both signatures. Names are in lower case. */
  headers: Record<string, string>;
  body: string;
}

/**
 * An event as the service sends it, for tests of a receiver: `fetch(url, await signedEvent({ type: 'ping' }))`, or
 * `hooks.fetch(new Request(url, await signedEvent()))`. Default: `order.created`, with random ids.
 */
export async function signedEvent(
  given: PartialEvent = {},
  { secret = TEST_SECRET, now = Date.now(), delivery = crypto.randomUUID() }: SigningOptions = {},
): Promise<SignedEvent> {
  const type = given.type ?? 'order.created';
  const event = {
    id: given.id ?? crypto.randomUUID(),
    type,
    createdAt: given.createdAt ?? new Date(now).toISOString(),
    data: given.data ?? (type === 'ping' ? {} : { orderId: crypto.randomUUID(), externalId: '' }),
  } as WebhookEvent;
  const body = JSON.stringify(event);
  const secrets = [secret].flat();
  const seconds = Math.floor(now / 1000);
  const tags = await Promise.all(secrets.map((each) => standardSignature(each, `${event.id}.${seconds}.${body}`)));
  const headers = {
    'content-type': 'application/json',
    [EVENT_HEADER]: type,
    [DELIVERY_HEADER]: delivery,
    [SIGNATURE_HEADER]: await signatureHeader(secrets, seconds, body),
    'webhook-id': event.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': tags.join(' '),
  };
  return { event, method: 'POST', headers, body };
}

/** As Standard Webhooks has it: the key is what the secret encodes after its prefix. */
async function standardSignature(secret: string, content: string): Promise<string> {
  const [, encoded] = /^whsec_([\w+/-]+={0,2})$/.exec(secret) ?? [];
  if (!encoded) throw new TypeError('secret must be whsec_ and base64, as the console shows it.');
  const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), charCode);
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const tag = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(content));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(tag)))}`;
}

const charCode = (character: string) => character.charCodeAt(0);
