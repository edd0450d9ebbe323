import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '../refusal.ts';

/** argon2id with 19 MiB and two passes: about 75 ms on a small server core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function hashPassword(password: string): Promise<string> {
  if (password.length < 8 || password.length > 200)
    throw new Refusal('invalid_body', 'A password has 8 to 200 characters.');
  return hash(password, cost);
}

export const verifyPassword = (passwordHash: string, password: string) => verify(passwordHash, password);
