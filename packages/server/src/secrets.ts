import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

/** The secret keys of the installation, newest first: the first encrypts and signs, the others still read. */
export type SecretKeys = readonly [newest: string, ...older: string[]];

/** Derives a key for one purpose from a secret key of the installation. */
export const keyFor = (secretKey: string, purpose: string) =>
  Buffer.from(hkdfSync('sha256', secretKey, '', `store-sales ${purpose}`, 32));

/** Identifies a secret key without revealing it. */
export const keyId = (secretKey: string) => keyFor(secretKey, 'key id').subarray(0, 6).toString('base64url');

/** Prefix of texts encrypted with this key. */
export const sealPrefix = (secretKey: string) => `v2.${keyId(secretKey)}.`;

/** Reversible encryption, for example of signing secrets: AES-256-GCM with a random nonce. */
export function sealer(secretKeys: SecretKeys) {
  const keys = secretKeys.map((secretKey) => ({
    prefix: sealPrefix(secretKey),
    key: keyFor(secretKey, 'sealed secrets'),
  }));
  const [newest] = keys as [(typeof keys)[number]];

  return {
    seal(plain: string): string {
      const nonce = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', newest.key, nonce);
      const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      return newest.prefix + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
    },
    open(sealed: string): string {
      const found = keys.find(({ prefix }) => sealed.startsWith(prefix));
      if (!found) throw new Error('encrypted with a key that is not in SECRET_KEY');
      return decrypt(found.key, sealed.slice(found.prefix.length));
    },
  };
}

function decrypt(key: Buffer, text: string): string {
  const bytes = Buffer.from(text, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8');
}

/** Signs texts for one purpose with the newest key, and accepts signatures of all keys. */
export function signer(secretKeys: SecretKeys, purpose: string) {
  const keys = secretKeys.map((secretKey) => keyFor(secretKey, purpose));
  const tag = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
  return {
    sign: (text: string) => tag(keys[0] as Buffer, text),
    isSigned: (text: string, given: string) => keys.some((key) => isSame(given, tag(key, text))),
  };
}

/** Constant-time comparison. */
export function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The hash of a secret or a token that is stored. A plain one is enough: these have too many random bits to guess. */
export const hashOf = (secret: string) => hash('sha256', secret, 'base64url');
