import type { FastifyInstance, FastifyRequest } from 'fastify';
import { asUuid } from '../db/uuid.ts';
import { notFound } from '../domain-error.ts';
import { isKnown } from '../http/if-none-match.ts';
import type { Services } from '../services.ts';
import { findFile } from './pictures.queries.ts';

const HASH = /^[0-9a-f]{64}$/;

const headers = {
  'X-Content-Type-Options': 'nosniff',
  // Nothing in a file runs, whatever a browser takes it for.
  'Content-Security-Policy': "default-src 'none'; sandbox",
  // Other sites of the owner show the pictures too.
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The files of stores, for everyone who has the address of one. Its name is the hash of its content, so it never changes. */
export function fileRoutes(app: FastifyInstance, { db, limit }: Services) {
  type FileRequest = FastifyRequest<{ Params: { storeId: string; hash: string } }>;
  app.get('/files/:storeId/:hash', async (request: FileRequest, reply) => {
    reply.headers(headers);
    const storeId = asUuid(request.params.storeId);
    const { hash } = request.params;
    const isGone = () => request.raw.socket.destroyed;
    const file =
      storeId && HASH.test(hash)
        ? await limit('file', storeId, () => findFile(db.fastReads, storeId, hash), { isGone })
        : undefined;
    if (!file) throw notFound('file');
    const etag = `"${hash}"`;
    reply.header('Cache-Control', 'public, max-age=31536000, immutable').header('ETag', etag);
    if (isKnown(request, etag)) return reply.code(304).send();
    return reply.type(file.type).send(file.bytes);
  });
}
