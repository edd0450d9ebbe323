/** Error codes that only the console's API returns, in addition to those of the public API. */
export const consoleErrorCodes = {
  signed_out: { status: 401, title: 'Not signed in' },
  wrong_credentials: { status: 401, title: 'Incorrect e-mail or password' },
  wrong_password: { status: 403, title: 'Incorrect current password' },
  wrong_setup_token: { status: 403, title: 'The setup link is invalid' },
  sign_in_expired: { status: 401, title: 'The sign-in took too long' },
  wrong_proof: { status: 403, title: 'The code or passkey is not valid' },
  verification_required: { status: 403, title: 'Confirm that it is you' },
  second_factor_required: { status: 403, title: 'The store requires a second factor' },
  mail_off: { status: 409, title: 'This installation sends no mails' },
  no_mail_address: { status: 409, title: 'The customer has no e-mail address' },
  too_many_mails: { status: 409, title: 'Too many mails' },
  second_factor_missing: { status: 409, title: 'Set up a second factor first' },
  offer_expired: { status: 409, title: 'It took too long' },
  role_required: { status: 403, title: 'Your role does not allow this' },
  invitation_invalid: { status: 404, title: 'The invitation is not valid' },
  invitation_for_another: { status: 403, title: 'The invitation is for someone else' },
  reset_link_invalid: { status: 404, title: 'The link is not valid' },
  last_owner: { status: 409, title: 'A store needs an owner' },
  cross_site: { status: 403, title: 'The request came from another site' },
  category_has_categories: { status: 409, title: 'The category has subcategories' },
  category_has_products: { status: 409, title: 'The category has products' },
  import_stopped: { status: 400, title: 'The import was stopped' },
  too_many_imports: { status: 429, title: 'Too many imports are running' },
  picture_not_supported: { status: 415, title: 'The file is not a PNG, JPEG, WebP or AVIF picture' },
  picture_type_differs: { status: 415, title: 'The picture is of another type than its name says' },
  picture_too_large: { status: 413, title: 'The file is too large' },
  picture_too_many_pixels: { status: 422, title: 'The picture has too many pixels' },
  picture_animated: { status: 422, title: 'The picture is animated' },
  picture_with_other_content: { status: 422, title: 'The file holds more than a picture' },
  picture_unreadable: { status: 422, title: 'The picture cannot be read' },
  too_many_attempts: { status: 429, title: 'Too many sign-in attempts' },
} as const;

export type ConsoleErrorCode = keyof typeof consoleErrorCodes;

export type LimitName =
  | 'stores'
  | 'members'
  | 'delivery_types'
  | 'payment_types'
  | 'order_statuses'
  | 'payment_statuses'
  | 'warehouses'
  | 'categories'
  | 'order_views'
  | 'promo_codes'
  | 'active_keys'
  | 'webhook_endpoints'
  | 'replaced_secrets'
  | 'passkeys'
  | 'pictures'
  | 'file_megabytes';

/** `params` of the problem document for `limit_reached`; only in the console's API. */
export interface LimitParams {
  limit: LimitName;
  max: number;
  /** When the action is possible again, if that is only a matter of time. */
  until?: string;
}

/** The record that has the value of a field with the error `taken`. */
export interface OtherRecord {
  id: string;
  name: string;
}

/** Why a promo code does not apply to an order. */
export const promoRefusals = ['unknown', 'disabled', 'not_yet', 'expired', 'used_up', 'minimum'] as const;
export type PromoRefusal = (typeof promoRefusals)[number];

/** Field error codes that only the console's API returns. */
export type ConsoleFieldErrorCode = 'taken' | 'circular' | `promo_${PromoRefusal}`;
