import { type SignatureError, verify } from '@store-sales/contract/signature';

export type Hint = 'mismatchSpace' | 'mismatchSecret' | 'mismatchParsed';

export type Outcome =
  | { ok: true; timestamp: number }
  | { ok: false; reason: SignatureError; minutes: number; hint?: Hint };

/** Verifies like a receiver; on a mismatch, tries the common mistakes. Runs in the browser. */
export async function checkSignature(header: string, body: string, secret: string, now: number): Promise<Outcome> {
  // The header may be pasted with its name.
  const value = header.trim().replace(/^x-service-signature\s*:\s*/i, '');
  const verified = await verify(body, value, secret, { now });
  if (verified.ok) return verified;
  const stamp = Number(/(?:^|,)\s*t=(\d+)/.exec(value)?.[1] ?? 0);
  const minutes = Math.max(1, Math.round(Math.abs(now / 1000 - stamp) / 60));
  const failed = { ok: false as const, reason: verified.reason, minutes };
  if (verified.reason !== 'mismatch') return failed;
  const matches = async (otherBody: string, otherSecret: string) =>
    (await verify(otherBody, value, otherSecret, { now, tolerance: Number.POSITIVE_INFINITY })).ok;
  if (await matches(body.trim(), secret)) return { ...failed, hint: 'mismatchSpace' };
  if (await matches(body, secret.trim())) return { ...failed, hint: 'mismatchSecret' };
  const compact = compacted(body);
  if (compact !== undefined && (await matches(compact, secret))) return { ...failed, hint: 'mismatchParsed' };
  return failed;
}

function compacted(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return undefined;
  }
}
