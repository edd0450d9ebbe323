import type { Plan } from '@store-sales/contract';
import type { Role } from '@store-sales/contract/console';

/** Someone who can sign in, as stored: an owner or another member of stores. */
export interface AccountRow {
  id: string;
  email: string;
  name: string;
  password_hash: string;
  language: string;
  /** The account was made by an invitation and may not create stores. */
  is_invited: boolean;
  created_at: number;
}

/** A store, as stored. */
export interface StoreRow {
  id: string;
  owner_id: string;
  name: string;
  currency: string;
  timezone: string;
  low_stock: number;
  plan: Plan;
  is_active: boolean;
  is_second_factor_required: boolean;
  created_at: number;
}

/** A store and the role of a member in it. */
export interface MemberStore extends StoreRow {
  role: Role;
  /** Whether the member owns all stores of the store's owner, which share delivery and payment types. */
  is_owner_of_all: boolean;
}
