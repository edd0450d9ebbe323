import type { Plan } from '@store-sales/contract';
import type { Role } from '@store-sales/contract/console';
import type { Queryable, Transaction } from '../db/database.ts';
import { raw, sql } from '../db/sql.ts';
import type { AccountRow, MemberStore, StoreRow } from '../tenants.ts';

/** Returns false if the e-mail is taken. */
export const insertOwner = async (tx: Transaction, owner: AccountRow, emailKey: string) =>
  (await tx.run(
    sql`insert into owners (id, email, email_key, name, password_hash, is_invited, created_at)
        values (${owner.id}, ${owner.email}, ${emailKey}, ${owner.name}, ${owner.password_hash}, ${owner.is_invited},
                ${owner.created_at})
        on conflict (email_key) do nothing`,
  )) > 0;

export const findOwner = (db: Queryable, emailKey: string) =>
  db.one<AccountRow>(
    sql`select id, email, name, password_hash, language, is_invited, created_at from owners where email_key = ${emailKey}`,
  );

export const findOwnerById = (db: Queryable, id: string) =>
  db.one<AccountRow>(
    sql`select id, email, name, password_hash, language, is_invited, created_at from owners where id = ${id}`,
  );

export const setPassword = (db: Queryable, ownerId: string, passwordHash: string) =>
  db.run(sql`update owners set password_hash = ${passwordHash} where id = ${ownerId}`);

/** Returns false if the password has changed since this hash was read. */
export const replacePassword = async (tx: Transaction, ownerId: string, verifiedHash: string, passwordHash: string) =>
  (await tx.run(
    sql`update owners set password_hash = ${passwordHash}
        where id = ${ownerId} and password_hash = ${verifiedHash}`,
  )) > 0;

/** Whether this is still the owner's hash; if so, locks it until the transaction ends. */
export const holdPassword = async (tx: Transaction, ownerId: string, verifiedHash: string) =>
  (await tx.one<{ id: string }>(
    sql`select id from owners where id = ${ownerId} and password_hash = ${verifiedHash} ${tx.dialect.forNoKeyUpdate}`,
  )) !== undefined;

export const setProfile = (db: Queryable, ownerId: string, name: string, language: string) =>
  db.run(sql`update owners set name = ${name}, language = ${language} where id = ${ownerId}`);

export const deleteSessions = (db: Queryable, ownerId: string) =>
  db.run(sql`delete from sessions where owner_id = ${ownerId}`);

export const anyOwner = async (db: Queryable) =>
  (await db.one<{ found: number }>(sql`select 1 as found from owners limit 1`)) !== undefined;

export async function insertStore(tx: Transaction, store: StoreRow) {
  await tx.run(
    sql`insert into stores (id, owner_id, name, currency, timezone, plan, is_active, created_at)
        values (${store.id}, ${store.owner_id}, ${store.name}, ${store.currency}, ${store.timezone}, ${store.plan},
                ${store.is_active}, ${store.created_at})`,
  );
  await tx.run(sql`insert into store_clocks (store_id) values (${store.id})`);
  await tx.run(
    sql`insert into store_members (store_id, owner_id, role, created_at)
        values (${store.id}, ${store.owner_id}, 'owner', ${store.created_at})`,
  );
}

/** Whether the member owns all stores that share their types with the store. */
const ownsAll = raw(
  `not exists (select 1 from stores other where other.owner_id = s.owner_id and not exists (
     select 1 from store_members own where own.store_id = other.id and own.owner_id = m.owner_id and own.role = 'owner'))
   as is_owner_of_all`,
);

export const findStore = (db: Queryable, id: string) =>
  db.one<StoreRow>(
    sql`select id, owner_id, name, currency, timezone, low_stock, plan, is_active, is_second_factor_required,
               created_at
        from stores where id = ${id}`,
  );

export const listStores = (db: Queryable) =>
  db.all<StoreRow & { email: string }>(
    sql`select s.id, s.owner_id, s.name, s.currency, s.timezone, s.low_stock, s.plan, s.is_active, s.is_second_factor_required,
               s.created_at, o.email
        from stores s join owners o on o.id = s.owner_id order by s.created_at, s.id`,
  );

/** The store with the role of this account, if it is a member. */
export const findStoreOf = (db: Queryable, accountId: string, id: string) =>
  db.one<MemberStore>(
    sql`select s.id, s.owner_id, s.name, s.currency, s.timezone, s.low_stock, s.plan, s.is_active, s.is_second_factor_required,
               s.created_at, m.role, ${ownsAll}
        from store_members m join stores s on s.id = m.store_id
        where m.store_id = ${id} and m.owner_id = ${accountId}`,
  );

/** The roles that these accounts have in these stores. */
export const rolesOf = (db: Queryable, members: readonly { store_id: string; owner_id: string }[]) =>
  db.all<{ store_id: string; owner_id: string; role: Role }>(
    sql`select m.store_id, m.owner_id, m.role from store_members m
        join ${db.dialect.records('wanted', { store_id: 'uuid', owner_id: 'uuid' }, members)}
          on wanted.store_id = m.store_id and wanted.owner_id = m.owner_id`,
  );

export const listStoresOf = (db: Queryable, accountId: string) =>
  db.all<MemberStore>(
    sql`select s.id, s.owner_id, s.name, s.currency, s.timezone, s.low_stock, s.plan, s.is_active, s.is_second_factor_required,
               s.created_at, m.role, ${ownsAll}
        from store_members m join stores s on s.id = m.store_id
        where m.owner_id = ${accountId} order by s.created_at, s.id`,
  );

export const countStoresOf = async (tx: Transaction, ownerId: string) =>
  (await tx.one<{ count: number }>(sql`select count(*) as count from stores where owner_id = ${ownerId}`))?.count ?? 0;

export const setDetails = (
  db: Queryable,
  { id, name, timezone, low_stock }: Pick<StoreRow, 'id' | 'name' | 'timezone' | 'low_stock'>,
) => db.run(sql`update stores set name = ${name}, timezone = ${timezone}, low_stock = ${low_stock} where id = ${id}`);

export const setPlan = (db: Queryable, id: string, plan: Plan) =>
  db.run(sql`update stores set plan = ${plan} where id = ${id}`);

export const setSecondFactorRequired = (tx: Transaction, id: string, isRequired: boolean) =>
  tx.run(sql`update stores set is_second_factor_required = ${isRequired} where id = ${id}`);

export const setActive = (db: Queryable, id: string, isActive: boolean) =>
  db.run(sql`update stores set is_active = ${isActive} where id = ${id}`);
