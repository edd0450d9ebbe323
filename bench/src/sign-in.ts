import { sql } from '@store-sales/server/db/sql';
import type { BenchDatabase } from './bench-database.ts';
import { PASSWORD } from './generate.ts';

/** Signs the owner of a generated store in and returns the session's cookie. */
export async function signIn(database: BenchDatabase, storeId: string, url: string): Promise<string> {
  const db = database.open();
  const owner = await db.one<{ email: string }>(
    sql`select o.email from owners o join stores s on s.owner_id = o.id where s.id = ${storeId}`,
  );
  await db.close();
  const response = await fetch(`${url}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ email: owner?.email, password: PASSWORD }),
  });
  if (!response.ok) throw new Error(`sign-in: ${response.status}`);
  const cookies = response.headers.getSetCookie().map((line) => line.split(';')[0]);
  return cookies.join('; ');
}
