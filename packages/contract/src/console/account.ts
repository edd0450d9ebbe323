import Type, { type Static } from 'typebox';
import { Body, Instant, Name, OneOf, OrNull, Uuid } from '../api/common.ts';
import { languages } from './values.ts';

export const Email = Type.String({ minLength: 3, maxLength: 254 });
/** The minimum length applies to new passwords only. */
const GivenPassword = Type.String({ minLength: 1, maxLength: 200 });
export const NewPassword = Type.String({ minLength: 8, maxLength: 200 });

export const SignIn = Body({ email: Email, password: GivenPassword });
export type SignIn = Static<typeof SignIn>;

export const SetUp = Body({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  email: Email,
  name: Name('Name of the person.'),
  password: NewPassword,
});
export type SetUp = Static<typeof SetUp>;

export const ChangePassword = Body({ current: GivenPassword, password: NewPassword });
export type ChangePassword = Static<typeof ChangePassword>;

/** Asks for a link to reset a forgotten password. */
export const ForgottenPassword = Body({ email: Email });
export type ForgottenPassword = Static<typeof ForgottenPassword>;

export const ResetPassword = Body({ token: Type.String({ minLength: 1, maxLength: 200 }), password: NewPassword });
export type ResetPassword = Static<typeof ResetPassword>;

export const ChangeProfile = Body(
  {
    name: Type.Optional(Name('Name of the person.')),
    language: Type.Optional(OneOf(languages, 'Language of the console.')),
  },
  { minProperties: 1 },
);
export type ChangeProfile = Static<typeof ChangeProfile>;

export const Account = Type.Object({
  id: Uuid('Id of the account.'),
  email: Type.String(),
  name: Type.String(),
  language: OneOf([...languages, ''], 'Empty until the person has chosen one.'),
  mayCreateStores: Type.Boolean({ description: 'False for an account that was made by an invitation.' }),
});
export type Account = Static<typeof Account>;

export const SessionState = Type.Object({
  setupNeeded: Type.Boolean({ description: 'True until the first owner is created.' }),
  account: OrNull(Account, 'Who is signed in.'),
  mailEnabled: Type.Boolean({ description: 'Whether the service sends mails.' }),
});
export type SessionState = Static<typeof SessionState>;

export const SignedInBrowser = Type.Object({
  id: Type.String(),
  userAgent: Type.String(),
  address: Type.String({ description: 'IP address of the sign-in; empty if unknown.' }),
  createdAt: Instant('Sign-in time.'),
  lastSeenAt: Instant('Time of the last request.'),
  isCurrent: Type.Boolean({ description: 'The browser that sends this request.' }),
});
export type SignedInBrowser = Static<typeof SignedInBrowser>;
