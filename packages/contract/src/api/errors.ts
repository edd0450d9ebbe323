import Type, { type Static } from 'typebox';

interface ErrorEntry {
  status: number;
  title: string;
  /** What happened and what the caller should do; shown on the error reference page. */
  advice: string;
}

/** All error codes of the API. Codes are never renamed or reused. */
export const errorCodes = {
  malformed_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    advice:
      'The server could not parse the request as HTTP/1.1 and closed the connection, or a header is missing or not supported, or a GET has a body. Use an HTTP library, and send the parameters of a GET in its URL.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    advice: 'Send one JSON object, encoded in UTF-8. The request was not processed.',
  },
  invalid_parameter: {
    status: 400,
    title: 'Invalid parameter',
    advice:
      '`errors` lists each invalid parameter and what it accepts. Correct the parameters and send the request again.',
  },
  unknown_parameter: {
    status: 400,
    title: 'Unknown parameter',
    advice: 'Unknown parameters are rejected, not ignored. Remove the parameter or correct its name.',
  },
  invalid_cursor: {
    status: 400,
    title: 'Invalid cursor',
    advice:
      'A cursor is valid only for the list, the store and the sort order that produced it. Start again without a cursor, or send the same `order`.',
  },
  missing_key: {
    status: 401,
    title: 'Missing API key',
    advice: 'Send the header `Authorization: Bearer <API_KEY>`. The store owner creates keys in the console.',
  },
  invalid_key: {
    status: 401,
    title: 'The API key is unknown or revoked',
    advice: 'Check that you copied the whole key. If it was revoked, ask the store owner for a new one.',
  },
  expired_key: {
    status: 401,
    title: 'The API key has expired',
    advice: 'Ask the store owner for a new key. `GET /api/v1/credentials` shows when a key expires.',
  },
  insufficient_rights: {
    status: 403,
    title: 'The API key lacks the required right',
    advice: '`detail` names the missing right. Ask the store owner for a key that has it.',
  },
  plan_required: {
    status: 403,
    title: 'The store is not on the Optimal plan',
    advice: 'The API and webhooks require the Optimal plan. Ask the store owner to change the plan.',
  },
  store_inactive: {
    status: 403,
    title: 'The store is deactivated',
    advice: 'The operator of the service has deactivated the store. Nothing was changed.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    advice: 'Check the path and the id. A key has no access to records of other stores.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    advice: 'The header `Allow` lists the methods of this path.',
  },
  request_timeout: {
    status: 408,
    title: 'The request was not received in time',
    advice:
      'Send the headers within 10 seconds and the whole request within 30 seconds. The request was not processed and can be retried.',
  },
  limit_reached: {
    status: 409,
    title: 'Limit reached',
    advice: 'The store or its owner already has the maximum number of these records. `detail` states the limit.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this Idempotency-Key is still being processed',
    advice:
      'Wait for the number of seconds in `Retry-After`, then send the same request again. If the first request was interrupted by a crash, its key is free again within 20 seconds.',
  },
  name_taken: {
    status: 409,
    title: 'The name is already in use',
    advice:
      'Choose another name. Names are compared ignoring case and surrounding spaces; disabled records keep their names.',
  },
  code_taken: {
    status: 409,
    title: 'The code is already in use',
    advice: 'Choose another code, or omit the code if it can be derived from the name.',
  },
  system_record: {
    status: 409,
    title: 'System records cannot be changed in this way',
    advice:
      'System order statuses cannot be renamed or disabled. System payment statuses cannot be edited; `partially_paid` and `refunded` can be disabled.',
  },
  integration_locked: {
    status: 409,
    title: 'The kind is set by an integration',
    advice: 'The kind of a delivery type with an integration provider cannot be changed.',
  },
  precondition_failed: {
    status: 412,
    title: 'The record has changed since it was read',
    advice: 'Read the record again, then repeat the change with its new `ETag` in `If-Match`.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is larger than 1 MiB',
    advice: 'Send a smaller body.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is not application/json',
    advice: 'Send the header `Content-Type: application/json`, and the body without compression.',
  },
  invalid_body: {
    status: 422,
    title: 'The body is invalid',
    advice:
      '`errors` lists all field errors, each with a JSON pointer to the field. Nothing was stored. Correct the fields and send the request again.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used with another body',
    advice:
      'A key identifies one request for 24 hours. Nothing was stored. Send a new key with a new request, or the original body to get its response again.',
  },
  headers_too_large: {
    status: 431,
    title: 'The URL and headers are too long',
    advice: 'Together they must not exceed 16 KiB. Shorten the URL, or send fewer headers and cookies.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests with this key',
    advice: 'Wait for the number of seconds in `Retry-After`, then retry.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    advice:
      'The service failed. Reads, creations with an `externalId` and requests with an `Idempotency-Key` are safe to retry. Include the `requestId` when you report the error.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    advice:
      'Retry after the number of seconds in `Retry-After`. Creations with an `externalId` or an `Idempotency-Key` are safe to retry.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCodes;

/** Codes inside `errors`, each for one field or parameter. */
export const fieldErrorCodes = {
  required: 'The field is required.',
  unknown: 'The field or parameter is unknown.',
  repeated: 'The field or parameter was sent more than once.',
  wrong_type: 'The value has the wrong JSON type. `null` is not accepted: omit the field.',
  too_short: 'The text is too short or empty.',
  too_long: 'The text is too long.',
  too_small: 'The number is too small, or the list is too short.',
  too_large: 'The number is too large, or the list is too long.',
  invalid_format: 'The text does not have the required format.',
  invalid_characters: 'The text contains a character that cannot be stored (NUL or an unpaired surrogate).',
  not_allowed: 'The value is not one of the allowed values.',
  conflict: 'The field cannot be combined with another field that was sent.',
  not_found: 'The record does not exist in this store.',
  inactive: 'The record is inactive.',
  negative: 'A discount is larger than the amount that it is taken from, which would be negative.',
  overflow: 'An amount would exceed 2^53 − 1.',
} as const;

export type FieldErrorCode = keyof typeof fieldErrorCodes;

const codes = <Codes extends Record<string, unknown>>(table: Codes) => Object.keys(table) as (keyof Codes & string)[];

export const FieldError = Type.Object(
  {
    pointer: Type.Optional(
      Type.String({ description: 'JSON pointer to the field in the body.', examples: ['/items/0/quantity'] }),
    ),
    parameter: Type.Optional(Type.String({ description: 'Name of the query or path parameter, or of the header.' })),
    code: Type.Enum(codes(fieldErrorCodes), { type: 'string', description: 'Error code of the field or parameter.' }),
    message: Type.String({ description: 'Human-readable description of the error.' }),
  },
  { description: 'An error in one field or parameter.' },
);
export type FieldError = Static<typeof FieldError>;

export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'URL of the code in the error reference.' }),
    title: Type.String({ description: 'Meaning of the code.' }),
    status: Type.Integer({ description: 'HTTP status.' }),
    detail: Type.String({ description: 'Human-readable explanation of this error.' }),
    code: Type.Enum(codes(errorCodes), { type: 'string', description: 'Error code, for programs.' }),
    requestId: Type.String({ description: 'Same as the header `X-Request-Id`.' }),
    errors: Type.Optional(Type.Array(FieldError, { description: 'All errors of fields and parameters.' })),
  },
  { description: 'A problem document (RFC 9457).' },
);
export type Problem = Static<typeof Problem>;
