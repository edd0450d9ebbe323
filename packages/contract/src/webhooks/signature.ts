/**
 * The signature of webhook requests: `t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<raw body>">`, keyed with the whole
 * signing secret. Uses WebCrypto, which works on servers and in browsers; the dispatcher uses `node:crypto`, which is
 * five times faster.
 */

const encoder = new TextEncoder();
const algorithm = { name: 'HMAC', hash: 'SHA-256' };
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;
const keys = new Map<string, Promise<Key>>();

/** Imports each secret once. The cache is bounded, because a sender may have any number of secrets. */
function keyOf(secret: string): Promise<Key> {
  let key = keys.get(secret);
  if (!key) {
    if (keys.size >= 1000) keys.clear();
    key = crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign', 'verify']);
    keys.set(secret, key);
  }
  return key;
}

function signedBytes(timestamp: number | string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return encoder.encode(`${timestamp}.${body}`);
  const stamp = encoder.encode(`${timestamp}.`);
  const bytes = new Uint8Array(stamp.length + body.length);
  bytes.set(stamp);
  bytes.set(body, stamp.length);
  return bytes;
}

/** The `v1` value for one secret. */
export async function sign(secret: string, timestampSeconds: number, body: string | Uint8Array): Promise<string> {
  const tag = await crypto.subtle.sign('HMAC', await keyOf(secret), signedBytes(timestampSeconds, body));
  return Array.from(new Uint8Array(tag), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The header, with one `v1` for each secret: during rotation a receiver may have any of them. */
export async function signatureHeader(
  secrets: readonly string[],
  timestampSeconds: number,
  body: string | Uint8Array,
): Promise<string> {
  const tags = await Promise.all(secrets.map((secret) => sign(secret, timestampSeconds, body)));
  return [`t=${timestampSeconds}`, ...tags.map((tag) => `v1=${tag}`)].join(',');
}

/** Why a signature is rejected. */
export const signatureErrors = {
  malformed: 'The signature header is missing or does not have the format t=…,v1=….',
  too_old: 'The timestamp is too old: the request may be a replay.',
  too_new: 'The timestamp is in the future: check the clocks.',
  mismatch: 'The signature does not match: the secret is wrong, or the body was changed.',
} as const;
export type SignatureError = keyof typeof signatureErrors;

export type Verification =
  | { ok: true; timestamp: number }
  | { ok: false; reason: SignatureError; message: (typeof signatureErrors)[SignatureError] };

/**
 * Verifies the signature of a request. `rawBody` is the body exactly as received, before JSON parsing. Pass several
 * secrets during rotation. `tolerance` is in seconds, `now` in milliseconds.
 */
export async function verify(
  rawBody: string | Uint8Array,
  header: string | undefined,
  secret: string | readonly string[],
  { tolerance = 300, now = Date.now() }: { tolerance?: number; now?: number } = {},
): Promise<Verification> {
  const parsed = parse(header ?? '');
  if (!parsed) return failed('malformed');
  const bytes = signedBytes(parsed.stamp, rawBody);
  let matches = false;
  for (const each of typeof secret === 'string' ? [secret] : secret) {
    const key = await keyOf(each);
    // WebCrypto compares in constant time; all values are tried, so that the timing reveals nothing.
    for (const tag of parsed.tags) if (await crypto.subtle.verify('HMAC', key, tag, bytes)) matches = true;
  }
  if (!matches) return failed('mismatch');
  const age = Math.floor(now / 1000) - Number(parsed.stamp);
  if (age > tolerance) return failed('too_old');
  if (age < -tolerance) return failed('too_new');
  return { ok: true, timestamp: Number(parsed.stamp) };
}

const failed = (reason: SignatureError): Verification => ({ ok: false, reason, message: signatureErrors[reason] });

/** Ignores schemes other than `v1`: a later version may add some. */
function parse(header: string) {
  const pairs = header.split(',').map((pair) => pair.trim().split('=', 2) as [string, string?]);
  const stamps = pairs.filter(([name]) => name === 't').map(([, value]) => value ?? '');
  const tags = pairs.filter(([name]) => name === 'v1').map(([, value]) => value ?? '');
  const [stamp] = stamps;
  if (stamps.length !== 1 || !stamp || !/^\d{1,12}$/.test(stamp)) return undefined;
  if (!tags.length || tags.length > 10 || !tags.every((tag) => /^[0-9a-f]{64}$/i.test(tag))) return undefined;
  return { stamp, tags: tags.map(bytesOf) };
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16);
  return bytes;
}
