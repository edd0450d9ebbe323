import Type, { type Static } from 'typebox';

interface ErrorEntry {
  status: number;
  title: string;
  /** What happened and what the caller should do; shown on the error reference page. */
  advice: string;
}

/** Every code the service answers with. Codes are never renamed or reused. */
export const errorCodes = {
  malformed_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    advice: 'What arrived could not be read as a request in HTTP/1.1; the connection was closed. Use an HTTP library.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    advice: 'Send one JSON object, encoded in UTF-8. The request was not processed.',
  },
  invalid_parameter: {
    status: 400,
    title: 'A parameter has a value that is not allowed',
    advice: '`errors` names each parameter and says what it accepts. Correct it and repeat the request.',
  },
  unknown_parameter: {
    status: 400,
    title: 'A parameter is not known',
    advice: 'Nothing that you send is silently ignored. Remove the parameter, or correct its spelling.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor cannot be used here',
    advice:
      'A cursor is valid only for the list, the store and the sort order that produced it. Start again without a cursor, or with the right `order`.',
  },
  missing_key: {
    status: 401,
    title: 'No API key was sent',
    advice: 'Send the header `Authorization: Bearer <API_KEY>`. The store owner creates keys in the console.',
  },
  invalid_key: {
    status: 401,
    title: 'The API key is unknown or revoked',
    advice: 'Check that the whole key was copied. If it was revoked, ask the store owner for a new one.',
  },
  expired_key: {
    status: 401,
    title: 'The API key has expired',
    advice: 'Ask the store owner for a new key. `GET /api/v1/credentials` shows the expiry of a key beforehand.',
  },
  insufficient_rights: {
    status: 403,
    title: 'The API key lacks a right',
    advice: '`detail` names the missing right. Ask the store owner for a key that carries it.',
  },
  plan_required: {
    status: 403,
    title: 'The store is not on plan Optimal',
    advice: 'The API and webhooks are part of plan Optimal. The store owner can change the plan.',
  },
  store_inactive: {
    status: 403,
    title: 'The store is deactivated',
    advice: 'The store was deactivated by its operator. Nothing was changed.',
  },
  not_found: {
    status: 404,
    title: 'There is nothing at this address',
    advice: 'Check the path and the id. Records of other stores are never visible to a key.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    advice: 'The header `Allow` lists the methods of this path.',
  },
  request_timeout: {
    status: 408,
    title: 'The request was not complete in time',
    advice:
      'Send the headers within 10 seconds and the whole request within 30. It was not processed and can be repeated.',
  },
  name_taken: {
    status: 409,
    title: 'The name is taken',
    advice: 'Names are compared without regard to case and surrounding space; disabled records keep theirs.',
  },
  code_taken: {
    status: 409,
    title: 'The code is taken',
    advice: 'Choose another code, or leave the code out where it can be derived from the name.',
  },
  system_record: {
    status: 409,
    title: 'A system record cannot be changed in this way',
    advice:
      'System order statuses cannot be renamed or disabled. System payment statuses cannot be edited; `partially_paid` and `refunded` can be disabled.',
  },
  integration_locked: {
    status: 409,
    title: 'The kind is set by an integration',
    advice: 'The kind of a delivery type that has an integration provider cannot be changed.',
  },
  limit_reached: {
    status: 409,
    title: 'A limit is reached',
    advice: 'The store or its owner already has as many of these as allowed; the detail says how many.',
  },
  precondition_failed: {
    status: 412,
    title: 'The record has changed since it was read',
    advice: 'Read the record again, decide anew, and send its new `ETag` in `If-Match`.',
  },
  body_too_large: {
    status: 413,
    title: 'The body is larger than 1 MiB',
    advice: 'Send less in one request.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is not application/json',
    advice: 'Send the header `Content-Type: application/json`.',
  },
  invalid_body: {
    status: 422,
    title: 'The body breaks a rule',
    advice:
      '`errors` lists every fault at once, each with a JSON pointer to the field. Nothing was stored; correct all of them and repeat.',
  },
  headers_too_large: {
    status: 431,
    title: 'The address and the headers are too long',
    advice: 'Together they may have 16 KiB. Send a shorter address, or fewer cookies and headers.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests with this key',
    advice: 'Wait for the number of seconds in `Retry-After`, then repeat the request.',
  },
  internal_error: {
    status: 500,
    title: 'The service failed',
    advice:
      'The fault is ours. Repeat reads, and creations with an `externalId`; they are safe. Quote `requestId` when you report it.',
  },
  unavailable: {
    status: 503,
    title: 'The service cannot answer right now',
    advice: 'Repeat the request after `Retry-After` seconds. Creations with an `externalId` are safe to repeat.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCodes;

/** The codes inside `errors`: what is wrong with one field or parameter. */
export const faultCodes = {
  required: 'The field is missing.',
  unknown: 'The field or parameter is not known.',
  repeated: 'The field or parameter was given more than once.',
  wrong_type: 'The value has the wrong JSON type (`null` is not a value: leave the field out).',
  too_short: 'The text is too short; often it is empty.',
  too_long: 'The text is too long.',
  too_small: 'The number is too small, or the list too short.',
  too_large: 'The number is too large, or the list too long.',
  invalid_format: 'The text does not have the required form.',
  invalid_characters: 'The text holds a character that cannot be stored (NUL or half of a surrogate pair).',
  not_allowed: 'The value is not one of those allowed.',
  conflict: 'The field cannot be combined with another one that was sent.',
  not_found: 'The record named does not exist in this store.',
  inactive: 'The record named is switched off.',
  negative: 'An amount would become negative.',
  overflow: 'An amount would pass 2^53 − 1.',
} as const;

export type FaultCode = keyof typeof faultCodes;

const codes = <Codes extends Record<string, unknown>>(table: Codes) => Object.keys(table) as (keyof Codes & string)[];

export const Fault = Type.Object(
  {
    pointer: Type.Optional(
      Type.String({ description: 'JSON pointer into the body.', examples: ['/items/0/quantity'] }),
    ),
    parameter: Type.Optional(Type.String({ description: 'Name of the query or path parameter.' })),
    code: Type.Enum(codes(faultCodes), { type: 'string', description: 'What is wrong, for programs.' }),
    message: Type.String({ description: 'What is wrong, for a person to read.' }),
  },
  { description: 'One fault in the request.' },
);
export type Fault = Static<typeof Fault>;

export const Problem = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'Address of the error reference, one anchor per code.' }),
    title: Type.String({ description: 'What the code means.' }),
    status: Type.Integer({ description: 'The HTTP status.' }),
    detail: Type.String({ description: 'What happened to this request, for a person to read.' }),
    code: Type.Enum(codes(errorCodes), { type: 'string', description: 'For programs: decide by this.' }),
    requestId: Type.String({ description: 'The same as in the header `X-Request-Id`.' }),
    errors: Type.Optional(Type.Array(Fault, { description: 'Every fault at once.' })),
  },
  { description: 'An error, as RFC 9457 describes.' },
);
export type Problem = Static<typeof Problem>;
