import Type, { type Static } from 'typebox';
import { Body, Instant, OneOf, OrNull } from '../api/common.ts';

/** Ways to prove that it is the person. `password` only where the account has no second factor. */
export const proofMethods = ['passkey', 'code', 'recovery_code', 'password'] as const;
export type ProofMethod = (typeof proofMethods)[number];

const Bytes = (maxLength: number) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', minLength: 1, maxLength, description: 'base64url.' });
const Token = Type.String({ minLength: 1, maxLength: 500 });

const CredentialRef = Type.Object({
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: Type.Array(Type.String()),
});

/** Options for `navigator.credentials.get`, with base64url texts for bytes. */
export const PasskeyRequest = Type.Object({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer(),
  userVerification: Type.Literal('required'),
  allowCredentials: Type.Array(CredentialRef),
});
export type PasskeyRequest = Static<typeof PasskeyRequest>;

export const ProofRequest = Type.Object({
  token: Type.String({ description: 'Sent back with the proof. Valid for 5 minutes.' }),
  methods: Type.Array(OneOf(proofMethods, 'A way to prove it.')),
  passkey: OrNull(PasskeyRequest, 'Null if no passkey can be used at this address.'),
});
export type ProofRequest = Static<typeof ProofRequest>;

const Assertion = Body({
  id: Bytes(1400),
  authenticatorData: Bytes(4000),
  clientDataJSON: Bytes(4000),
  signature: Bytes(4000),
});

/** The token and exactly one proof. */
export const Proof = Body(
  {
    token: Token,
    code: Type.Optional(Type.String({ pattern: '^\\s*\\d{3}\\s?\\d{3}\\s*$', maxLength: 20 })),
    recoveryCode: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
    passkey: Type.Optional(Assertion),
    password: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  { minProperties: 2, maxProperties: 2 },
);
export type Proof = Static<typeof Proof>;

export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  host: Type.String({ description: 'It works at this address of the console only.' }),
  createdAt: Instant('When it was added.'),
  lastUsedAt: OrNull(Instant('Last use.'), 'Null: never used.'),
});
export type Passkey = Static<typeof Passkey>;

export const SecondFactor = Type.Object({
  passkeys: Type.Array(Passkey),
  codesSince: OrNull(Instant('When codes were set up.'), 'Null: no codes.'),
  recoveryCodesLeft: Type.Integer(),
});
export type SecondFactor = Static<typeof SecondFactor>;

export const CodesOffer = Type.Object({
  token: Type.String({ description: 'Sent back with the first code. Valid for 15 minutes.' }),
  secret: Type.String({ description: 'Base32, for typing it.' }),
  uri: Type.String({ description: '`otpauth:` URI for the QR code.' }),
});
export type CodesOffer = Static<typeof CodesOffer>;

export const ConfirmCodes = Body({
  token: Token,
  code: Type.String({ pattern: '^\\s*\\d{3}\\s?\\d{3}\\s*$', maxLength: 20 }),
});
export type ConfirmCodes = Static<typeof ConfirmCodes>;

/** Options for `navigator.credentials.create`, with base64url texts for bytes. */
export const PasskeyOffer = Type.Object({
  token: Type.String({ description: 'Sent back with the new passkey. Valid for 5 minutes.' }),
  options: Type.Object({
    challenge: Type.String(),
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
    timeout: Type.Integer(),
    attestation: Type.Literal('none'),
    authenticatorSelection: Type.Object({
      residentKey: Type.Literal('preferred'),
      userVerification: Type.Literal('required'),
    }),
    excludeCredentials: Type.Array(CredentialRef),
  }),
});
export type PasskeyOffer = Static<typeof PasskeyOffer>;

export const AddPasskey = Body({
  token: Token,
  name: Type.String({ minLength: 1, maxLength: 100 }),
  id: Bytes(1400),
  clientDataJSON: Bytes(4000),
  attestationObject: Bytes(20_000),
  transports: Type.Array(Type.String({ pattern: '^[a-z-]{1,20}$' }), { maxItems: 10 }),
});
export type AddPasskey = Static<typeof AddPasskey>;

/** The result of adding a factor. */
export const AddedFactor = Type.Object({
  secondFactor: SecondFactor,
  recoveryCodes: OrNull(Type.Array(Type.String()), 'With the first factor. Shown only once.'),
});
export type AddedFactor = Static<typeof AddedFactor>;

export const RecoveryCodes = Type.Object({ recoveryCodes: Type.Array(Type.String()) });
export type RecoveryCodes = Static<typeof RecoveryCodes>;

export const RequireSecondFactor = Body({ isRequired: Type.Boolean() });
export type RequireSecondFactor = Static<typeof RequireSecondFactor>;
