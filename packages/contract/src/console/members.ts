import Type, { type Static } from 'typebox';
import { Body, Instant, Name, OneOf, OrNull } from '../api/common.ts';
import { Email, NewPassword } from './account.ts';
import { roles } from './values.ts';

export const Member = Type.Object({
  id: Type.String({ description: 'Id of the account.' }),
  name: Type.String(),
  email: Type.String(),
  role: OneOf(roles, 'Role in this store.'),
  since: Instant('When the member joined.'),
  hasSecondFactor: Type.Boolean({ description: 'Whether the member has a passkey or codes.' }),
});
export type Member = Static<typeof Member>;

export const Invitation = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role: OneOf(roles, 'Role after accepting.'),
  invitedBy: OrNull(Type.String(), 'Name of the inviter; null: the command line.'),
  createdAt: Instant('When the link was made.'),
  expiresAt: Instant('The link works until then.'),
});
export type Invitation = Static<typeof Invitation>;

/** Changes return the whole team, which is small. */
export const Team = Type.Object({ members: Type.Array(Member), invitations: Type.Array(Invitation) });
export type Team = Static<typeof Team>;

export const Invite = Body({ email: Email, role: OneOf(roles, 'Role.') });
export type Invite = Static<typeof Invite>;

export const InvitationLink = Type.Object({
  team: Team,
  link: OrNull(Type.String(), 'Shown once, to be passed on; null if it was mailed.'),
});
export type InvitationLink = Static<typeof InvitationLink>;

export const ChangeMember = Body({ role: OneOf(roles, 'Role.') });
export type ChangeMember = Static<typeof ChangeMember>;

const Token = Type.String({ minLength: 1, maxLength: 200 });

export const OpenInvitation = Body({ token: Token });
export type OpenInvitation = Static<typeof OpenInvitation>;

export const OpenedInvitation = Type.Object({
  storeName: Type.String(),
  email: Type.String(),
  role: OneOf(roles, 'Role after accepting.'),
  hasAccount: Type.Boolean({ description: 'Whether someone with this e-mail can sign in already.' }),
});
export type OpenedInvitation = Static<typeof OpenedInvitation>;

export const JoinWithNewAccount = Body({ token: Token, name: Name('Name of the person.'), password: NewPassword });
export type JoinWithNewAccount = Static<typeof JoinWithNewAccount>;

/** The stores whose new orders the account gets mails about. */
export const OrderMails = Type.Object({ storeIds: Type.Array(Type.String()) });
export type OrderMails = Static<typeof OrderMails>;

export const SetOrderMail = Body({ isOn: Type.Boolean() });
export type SetOrderMail = Static<typeof SetOrderMail>;

export const Joined = Type.Object({ storeId: Type.String() });
export type Joined = Static<typeof Joined>;
