import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { shortHash } from '../text/short-hash.ts';
import { isKnown } from './if-none-match.ts';

export type Encoding = 'br' | 'gzip';

/** Smaller responses would gain nothing. */
const MIN_BYTES = 1024;

/** A page of 50 orders takes 0.5 ms and shrinks to 14 %; the default of 11 takes many times as long. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } };
const gzipOptions = { level: 3 };

const inBackground = {
  br: (body: Buffer) => promisify(brotliCompress)(body, brotliOptions),
  gzip: (body: Buffer) => promisify(gzip)(body, gzipOptions),
};

export const isCompressible = (body: Buffer | string) => body.length >= MIN_BYTES;

export const compress = (body: Buffer, encoding: Encoding): Promise<Buffer> => inBackground[encoding](body);

/** For the short texts of errors. */
export const compressNow = (text: string, encoding: Encoding): Buffer =>
  encoding === 'br' ? brotliCompressSync(text, brotliOptions) : gzipSync(text, gzipOptions);

/** The encoding that the client prefers; with equal weights, the smaller one. */
export function acceptedEncoding({ headers }: FastifyRequest): Encoding | undefined {
  const accepted = headers['accept-encoding'];
  if (!accepted) return undefined;
  const weights = new Map<string, number>();
  for (const each of String(accepted).toLowerCase().split(',')) {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, weight ? Number(weight.slice(2)) || 0 : 1);
  }
  const weightOf = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0;
  const best = weightOf('br') >= weightOf('gzip') ? 'br' : 'gzip';
  return weightOf(best) > 0 ? best : undefined;
}

/** A text that is sent often: compressed once, and not sent again to a client that has it. */
export class StaticText {
  readonly etag: string;
  private readonly plain: Buffer;
  private readonly compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(text: string) {
    this.plain = Buffer.from(text);
    // Weak, because all encodings share it.
    this.etag = `W/"${shortHash(this.plain)}"`;
  }

  /** Enough for the plain text and what it is compressed to. */
  get maxBytes() {
    return this.plain.length * 2;
  }

  /** The text as this client wants it. */
  async as(encoding: Encoding | undefined): Promise<Buffer> {
    if (!encoding) return this.plain;
    const body = this.compressed.get(encoding) ?? compress(this.plain, encoding);
    this.compressed.set(encoding, body);
    return body;
  }

  async send(request: FastifyRequest, reply: FastifyReply) {
    reply.headers({ ETag: this.etag, Vary: 'Accept-Encoding' });
    if (isKnown(request, this.etag)) return reply.code(304).send();
    const encoding = acceptedEncoding(request);
    if (encoding) reply.header('Content-Encoding', encoding);
    return reply.send(await this.as(encoding));
  }
}
