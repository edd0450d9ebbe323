import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { migratedDatabase } from '../../packages/server/test/database.ts';
import { call, envOf, serve, shop } from '../processes.ts';

/** The long form: ATTACK=long npm test -- e2e/attack/password-guessing */
const SECONDS = process.env.ATTACK === 'long' ? 60 : 2;
/** A new browser competes with the flood at random: about one try in twenty succeeds, one try a second. */
const TEST_MS = SECONDS * 1000 + 600_000;
/** Concurrent sign-ins of each attacker. */
const FLOOD = process.env.ATTACK === 'long' ? 60 : 40;

const testDb = await migratedDatabase();
const env = envOf(testDb, { TRUST_PROXY: '1', RATE_LIMIT_PER_MINUTE: '0' });
const node = await serve(env);
const { email, key } = await shop(env);
afterAll(async () => {
  await node.stop();
  await testDb.drop();
});

interface Outcome {
  status: number;
  cookie: string;
  retryAfter: number;
}

async function signIn(
  address: string,
  mail: string,
  password: string,
  cookie = '',
  signal?: AbortSignal,
): Promise<Outcome> {
  const response = await fetch(`${node.url}/console/api/session`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: node.url,
      'x-forwarded-for': address,
      ...(cookie && { cookie }),
    },
    body: JSON.stringify({ email: mail, password }),
    ...(signal && { signal }),
  });
  await response.arrayBuffer();
  return {
    status: response.status,
    cookie: response.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .filter((text) => text?.startsWith('browser='))
      .join('; '),
    retryAfter: Number(response.headers.get('retry-after')),
  };
}

let serial = 0;
/** A new address in a new /64 on each call. */
const newNetwork = () => `2001:db8:${(++serial >> 8).toString(16)}:${(serial & 255).toString(16)}::1`;

const attackers: Record<string, () => Promise<unknown>> = {
  'one e-mail from many /64 networks': () => signIn(newNetwork(), email, 'wrong horse'),
  'many e-mails from one /64': () =>
    signIn(`2001:db8:ffff::${(++serial & 0xffff).toString(16)}`, `x${serial}@example.test`, 'guess'),
  'many e-mails from many networks': () => signIn(newNetwork(), `y${serial}@example.test`, 'guess'),
  'sign-ins that are dropped at once': async () => {
    const signal = AbortSignal.timeout(5);
    await signIn(newNetwork(), email, 'wrong horse', '', signal).catch(() => {});
    await sleep(5);
  },
};

for (const [name, attack] of Object.entries(attackers))
  test(
    `${name}: the owner can sign in and the API is served`,
    async () => {
      const home = await signIn('192.0.2.1', email, 'correct horse');
      expect(home.status).toBe(204);
      const until = Date.now() + SECONDS * 1000;
      const statuses: Record<string, number> = {};
      // A new browser in a new network retries after Retry-After until it succeeds.
      const fresh: number[] = [];
      const isDone = () => Date.now() > until && fresh.length > 0;
      const flood = Array.from({ length: FLOOD }, async () => {
        while (!isDone()) {
          const outcome = (await attack()) as Outcome | undefined;
          const status = outcome?.status ?? 'dropped';
          statuses[status] = (statuses[status] ?? 0) + 1;
        }
      });

      // A known browser succeeds on the first attempt every time.
      const known: number[] = [];
      const api: number[] = [];
      const owner = async () => {
        while (!isDone()) {
          known.push((await signIn('192.0.2.1', email, 'correct horse', home.cookie)).status);
          await sleep(300);
        }
      };
      const ownerElsewhere = async () => {
        const address = newNetwork();
        for (let tries = 1; fresh.length === 0; tries++) {
          const { status, retryAfter } = await signIn(address, email, 'correct horse');
          if (status === 204) fresh.push(tries);
          else {
            expect(status).toBe(429);
            await sleep(Math.min(retryAfter, 2) * 1000 * Math.random());
          }
        }
      };
      const integrator = async () => {
        while (!isDone()) {
          api.push((await call(node, key, 'GET', '/api/v1/orders?limit=1')).status);
          await sleep(50);
        }
      };
      await Promise.all([...flood, owner(), ownerElsewhere(), integrator()]);

      console.log(
        `password guessing, ${name}: ${JSON.stringify(statuses)} in ${SECONDS} s; known browser ${known.filter((status) => status === 204).length} of ${known.length}, new browser after ${fresh[0]} tries, API ${api.length} requests`,
      );
      expect(known.filter((status) => status !== 204)).toEqual([]);
      expect(known.length).toBeGreaterThan(0);
      expect(api.filter((status) => status !== 200)).toEqual([]);
      expect(api.length).toBeGreaterThan(0);
      expect(statuses[204]).toBeUndefined();
      expect(statuses[500] ?? 0).toBe(0);
    },
    TEST_MS,
  );
