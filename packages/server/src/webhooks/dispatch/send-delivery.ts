import { sealer } from '../../secrets.ts';
import type { Services } from '../../services.ts';
import { replacedSecrets } from '../endpoints/replaced-secrets.ts';
import { bodyOf } from '../outbox/body.ts';
import type { AttemptResponse } from './exchange.ts';
import { memoize } from './memoize.ts';
import type { DueDelivery, EndpointSettings } from './queue.queries.ts';
import { type SendOptions, sender } from './send.ts';

export interface DeliverySender {
  /** Signs and sends a delivery; never rejects. */
  send(delivery: DueDelivery, settings: EndpointSettings, time: number): Promise<AttemptResponse> | AttemptResponse;
  close(): Promise<void>;
}

export function deliverySender({ config, log }: Services, options: SendOptions): DeliverySender {
  const { send, close } = sender(options);
  const openSecret = memoize(sealer(config.SECRET_KEY).open);
  return {
    send(delivery, settings, time) {
      try {
        const replaced = replacedSecrets(settings, time, openSecret).map(({ secret }) => secret);
        const secrets = [openSecret(settings.secret), ...replaced];
        const { id: deliveryId, event_id: eventId, type } = delivery;
        return send({ url: settings.url, secrets, type, deliveryId, eventId, body: bodyOf(delivery) }, time);
      } catch (error) {
        // The secret was sealed with another SECRET_KEY: log it for the operator, and fail the attempt for the owner.
        log.error({ err: error, endpointId: settings.id }, 'failed to sign a webhook');
        return { responseStatus: null, error: 'secret_unreadable', responseBody: '', durationMs: 0 };
      }
    },
    close,
  };
}
