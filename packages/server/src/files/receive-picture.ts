import { MAX_PICTURE_BYTES } from '@store-sales/contract/console';
import type { FastifyRequest } from 'fastify';
import type { Database } from '../db/database.ts';
import { DomainError } from '../domain-error.ts';
import { typeOf } from '../http/bind.ts';
import type { MemberCaller } from '../http/callers.ts';
import { type LongWork, openResponses } from '../http/long-work.ts';
import { type UploadErrors, withUpload } from '../imports/upload.ts';
import type { Services } from '../services.ts';
import { type DecodedFile, pictureDecoder } from './decoder.ts';
import { requireRoom } from './pictures.ts';

/** Uploads of an owner that are open at once; one of them is decoded. */
const MAX_UPLOADS = 4;

const errors: UploadErrors = {
  tooLarge: (maxBytes) =>
    new DomainError('picture_too_large', `The file is larger than ${maxBytes / 1024 / 1024} MiB. Make it smaller.`),
  interrupted: () => new DomainError('picture_unreadable', 'The upload was interrupted; nothing was changed.'),
};

type UploadCall = MemberCaller & { work: LongWork; request: FastifyRequest; isGone(): boolean };

/**
 * Receives a picture and decodes it, one at a time for each owner, and passes its sizes to `save` with a database in which
 * every transaction asks again whether the caller may go on.
 */
export function pictureReceiver({ config, db, limit, log }: Services) {
  const decode = pictureDecoder(log);
  const uploads = openResponses(MAX_UPLOADS);

  return async function receive<Result>(
    { store, work, request, isGone }: UploadCall,
    save: (db: Database, files: DecodedFile[], maxMiB: number) => Promise<Result>,
  ): Promise<Result> {
    const maxMiB = config.FILES_MB_PER_STORE;
    const close = uploads.open(store.owner_id);
    try {
      if (Number(request.headers['content-length'] ?? 0) > MAX_PICTURE_BYTES) throw errors.tooLarge(MAX_PICTURE_BYTES);
      await requireRoom(db, store.id, maxMiB);
      return await withUpload(
        work.file,
        MAX_PICTURE_BYTES,
        (upload) => {
          const run = async () => {
            await work.proceed();
            const files = await decode(upload.read(), typeOf(request));
            await work.proceed();
            return save(work.guarded(), files, maxMiB);
          };
          return limit('picture', store.owner_id, run, { isGone, isStreaming: true });
        },
        errors,
      );
    } finally {
      close();
    }
  };
}

export type PictureReceiver = ReturnType<typeof pictureReceiver>;
