import type { FieldErrors } from '../../domain-error.ts';

/** An enabled delivery type of the store; one that was sent and not found is reported. */
export function chosenDeliveryType<Type>(sent: string | undefined, found: Type | undefined, fieldErrors: FieldErrors) {
  if (sent !== undefined && !found)
    fieldErrors.add('/delivery/typeId', 'not_found', 'does not match any enabled delivery type of this store');
  return found;
}

/** An enabled payment type of the store; one that was sent and not found is reported. */
export function chosenPaymentType<Type>(sent: string | undefined, found: Type | undefined, fieldErrors: FieldErrors) {
  if (sent !== undefined && !found)
    fieldErrors.add('/paymentTypeId', 'not_found', 'does not match any enabled payment type of this store');
  return found;
}
