import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const compress = promisify(gzip);

/** A text that is sent often: compressed once, and not sent again to a browser that has it. */
export interface Compressed {
  plain: Buffer;
  zipped: Buffer;
  etag: string;
}

export async function compressed(text: string): Promise<Compressed> {
  const plain = Buffer.from(text);
  // Weak, because the compressed and the plain form share it.
  const etag = `W/"${createHash('sha256').update(plain).digest('hex').slice(0, 16)}"`;
  return { plain, zipped: await compress(plain), etag };
}

export function sendCompressed(request: FastifyRequest, reply: FastifyReply, { plain, zipped, etag }: Compressed) {
  reply.headers({ ETag: etag, Vary: 'Accept-Encoding' });
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain);
  return reply.header('Content-Encoding', 'gzip').send(zipped);
}
