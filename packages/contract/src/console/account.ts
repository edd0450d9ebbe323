import Type, { type Static } from 'typebox';
import { Body, Name, OneOf } from '../common.ts';

export const languages = ['en', 'ru'] as const;
export type Language = (typeof languages)[number];

const Email = Type.String({ minLength: 3, maxLength: 254 });
/** A password that is being checked may be any text; one that is being set has a least length. */
const GivenPassword = Type.String({ minLength: 1, maxLength: 200 });
const NewPassword = Type.String({ minLength: 8, maxLength: 200 });

export const SignIn = Body({ email: Email, password: GivenPassword });
export type SignIn = Static<typeof SignIn>;

export const SetUp = Body({
  token: Type.String({ minLength: 1, maxLength: 200 }),
  email: Email,
  name: Name('Name of the owner.'),
  password: NewPassword,
});
export type SetUp = Static<typeof SetUp>;

export const ChangePassword = Body({ current: GivenPassword, password: NewPassword });
export type ChangePassword = Static<typeof ChangePassword>;

export const ChangeProfile = Body(
  {
    name: Type.Optional(Name('Name of the owner.')),
    language: Type.Optional(OneOf(languages, 'Language of the console.')),
  },
  { minProperties: 1 },
);
export type ChangeProfile = Static<typeof ChangeProfile>;

export interface Owner {
  id: string;
  email: string;
  name: string;
  /** '' until the owner has chosen one. */
  language: Language | '';
}

/** Who is here, asked first by every page. */
export interface SessionState {
  /** No owner exists yet: the set-up page is open to whoever has its link. */
  setupNeeded: boolean;
  owner: Owner | null;
}

/** A browser that is signed in. */
export interface SignedInBrowser {
  id: string;
  userAgent: string;
  createdAt: string;
  lastSeenAt: string;
  /** The browser that asks. */
  isCurrent: boolean;
}
