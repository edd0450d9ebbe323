import type { Plan } from '@store-sales/contract';
import type { Access } from '@store-sales/contract/console';
import type { Actor } from '../actor.ts';
import { DomainError } from '../domain-error.ts';
import type { AccountRow, MemberStore } from '../tenants.ts';
import { MINUTE } from '../time/duration.ts';

/** How long a sign-in or verification counts. */
const VERIFIED_FOR = 15 * MINUTE;

/** An authenticated API key and its store. */
export interface KeyCaller {
  id: string;
  name: string;
  /** As stored: separated by spaces. */
  rights: string;
  rightSet: ReadonlySet<string>;
  created_at: number;
  expires_at: number;
  store_id: string;
  owner_id: string;
  store_name: string;
  currency: string;
  timezone: string;
  plan: Plan;
  is_active: boolean;
  /** The store's change number when the key was read, and its time. */
  seq: number;
  ts: number;
}

/** A signed-in browser and its person. */
export interface Session {
  id: string;
  /** When the person last proved who they are, by signing in or again since. */
  verifiedAt: number;
  account: AccountRow;
}

/** What the handlers of the API know about the caller. */
export interface ApiCaller {
  caller: KeyCaller;
  actor: Actor;
}

/** A member of the store in the path. */
export interface MemberCaller {
  session: Session;
  actor: Actor;
  store: MemberStore;
}

/** What the handlers of the console know about the caller. */
export type ConsoleCaller<Who extends Access = Access> = Who extends 'anyone'
  ? { session: Session | undefined }
  : Who extends 'account'
    ? { session: Session; actor: Actor }
    : MemberCaller;

export function requireVerified({ verifiedAt }: { verifiedAt: number }, now: number) {
  if (now - verifiedAt > VERIFIED_FOR)
    throw new DomainError('verification_required', 'Confirm that it is you, then repeat the request.');
}

/** The API and webhooks are part of the Optimal plan. */
export function requireOptimalPlan({ plan }: { plan: Plan }) {
  if (plan !== 'optimal')
    throw new DomainError(
      'plan_required',
      `API keys and webhooks need the Optimal plan; this store is on the ${plan} plan.`,
    );
}
