import type { Database } from '../db/database.ts';
import { Refusal } from '../refusal.ts';
import * as store from './accounts.store.ts';
import { attempts } from './attempts.ts';
import { emailKey, noteOfOwner } from './owners.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { closeOthers, openSession, wrongCredentials } from './sessions.ts';

export interface Visitor {
  address: string;
  userAgent: string;
}

const ofOwner = ({ id }: store.OwnerRow) => ({ kind: 'owner' as const, id });

/** Checks passwords, and remembers failures: by e-mail, and less strictly by address, which many may share. */
export function gatekeeper(db: Database) {
  const byEmail = attempts(5);
  const byAddress = attempts(20);

  return {
    /** A session's token. An unknown e-mail and a wrong password look the same, in words and in time. */
    async signIn(email: string, password: string, visitor: Visitor, now: number): Promise<string> {
      const key = emailKey(email);
      byEmail.check(key, now);
      byAddress.check(visitor.address, now);
      byEmail.begin(key, now);
      byAddress.begin(visitor.address, now);
      const owner = await store.findOwner(db, key);
      if (!(await verifyPassword(owner?.password_hash, password)) || !owner) throw wrongCredentials();
      byEmail.forget(key);
      byAddress.forgive(visitor.address);
      return db.transaction(async (tx) => {
        const { address, userAgent } = visitor;
        await noteOfOwner(tx, owner, 'signed_in', ofOwner(owner), now, { address, userAgent: userAgent.slice(0, 300) });
        return openSession(tx, owner, userAgent, now);
      });
    },

    /** Asks for the present password, sets the new one, and signs all other browsers out. */
    async changePassword(owner: store.OwnerRow, sessionId: string, current: string, password: string, now: number) {
      const key = emailKey(owner.email);
      byEmail.check(key, now);
      byEmail.begin(key, now);
      if (!(await verifyPassword(owner.password_hash, current))) throw wrongPassword();
      byEmail.forget(key);
      const passwordHash = await hashPassword(password);
      await db.transaction(async (tx) => {
        if (!(await store.replacePassword(tx, owner.id, owner.password_hash, passwordHash))) throw wrongPassword();
        await closeOthers(tx, owner.id, sessionId);
        await noteOfOwner(tx, owner, 'password_changed', ofOwner(owner), now);
      });
    },
  };
}

const wrongPassword = () => new Refusal('wrong_password', 'The present password is not right.');

export type Gatekeeper = ReturnType<typeof gatekeeper>;
