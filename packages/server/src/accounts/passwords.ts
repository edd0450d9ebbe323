import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { invalidField } from '../domain-error.ts';

/** argon2id with 19 MiB and two passes: about 75 ms on a small server core. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export async function hashPassword(password: string): Promise<string> {
  if (password.length < 8 || password.length > 200)
    throw invalidField('/password', 'invalid_format', 'A password must have 8 to 200 characters.');
  return hash(password, cost);
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password matches this hash. Without a hash (no such owner) a decoy is verified, so that the response time
 * does not reveal which e-mails exist.
 */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword(randomBytes(24).toString('base64url'));
  const noOwner = await decoy;
  return (await verify(passwordHash ?? noOwner, password)) && passwordHash !== undefined;
}
