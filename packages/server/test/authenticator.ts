import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { PasskeyOffer, PasskeyRequest } from '@store-sales/contract/console';

const PRESENT_AND_VERIFIED = 0x05;
const WITH_CREDENTIAL = 0x40;

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** As much CBOR as a credential needs: small maps, short texts and bytes, integers. */
function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, entry]) => [cbor(key), cbor(entry)])]);
}

function head(type: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(type << 5) | count]);
  if (count < 256) return Buffer.from([(type << 5) | 24, count]);
  return Buffer.from([(type << 5) | 25, count >> 8, count & 255]);
}

/** A device with one passkey (ECDSA with P-256) in a browser that shows a page of this origin. */
export function authenticator(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
  const id = randomBytes(16);
  const device = {
    id: id.toString('base64url'),
    origin,
    /** Increased by each use; 0 stays 0, as with passkeys that are synchronized. */
    counter: 1,
    flags: PRESENT_AND_VERIFIED,

    /** Creates the passkey: the response to the options of the server. */
    create({ token, options }: PasskeyOffer, name = 'Phone') {
      const coseKey = cbor(
        new Map<number, Cbor>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      );
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey]);
      const authData = Buffer.concat([authenticatorData(options.rp.id, WITH_CREDENTIAL), credential]);
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        token,
        name,
        id: device.id,
        clientDataJSON: clientData('webauthn.create', options.challenge).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      };
    },

    /** Signs a challenge. */
    get({ challenge, rpId }: Pick<PasskeyRequest, 'challenge' | 'rpId'>) {
      if (device.counter) device.counter++;
      const data = authenticatorData(rpId, 0);
      const client = clientData('webauthn.get', challenge);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        id: device.id,
        authenticatorData: data.toString('base64url'),
        clientDataJSON: client.toString('base64url'),
        signature: signature.toString('base64url'),
      };
    },
  };

  function authenticatorData(rpId: string, flags: number) {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(device.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([device.flags | flags]), counter]);
  }
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: device.origin, crossOrigin: false }));

  return device;
}
