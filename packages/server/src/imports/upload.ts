import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DomainError } from '../domain-error.ts';
import { fileError } from './messages.ts';

/** An uploaded file. It can be read more than once, and is deleted afterwards. */
export interface Upload {
  size: number;
  read(): AsyncIterable<Buffer>;
}

/** The errors of a file that is too large, and of a client that disconnects. */
export interface UploadErrors {
  tooLarge(maxBytes: number): DomainError;
  interrupted(): DomainError;
}

const importErrors: UploadErrors = {
  tooLarge: (maxBytes) =>
    fileError(
      { code: 'file_too_large', params: { maxMiB: Math.floor(maxBytes / 1024 / 1024) } },
      { code: 'body_too_large' },
    ),
  interrupted: () => new DomainError('import_stopped', 'The upload was interrupted; nothing was imported.'),
};

/**
 * Stores an upload on disk, passes it to `work`, and deletes it. On disk, because an import takes longer than a request
 * may take to arrive, and many concurrent uploads would fill the memory.
 */
export async function withUpload<Result>(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  work: (upload: Upload) => Promise<Result>,
  errors = importErrors,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'store-sales-upload-'));
  const file = await open(join(folder, 'upload'), 'wx+', 0o600);
  try {
    // Unlink immediately where the system allows it, so that not even a crash leaves the file behind.
    await rm(folder, { recursive: true }).catch(() => {});
    const size = await receive(body, maxBytes, file, errors);
    return await work({ size, read: () => file.createReadStream({ start: 0, autoClose: false }) });
  } finally {
    await file.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function receive(
  body: AsyncIterable<Buffer>,
  maxBytes: number,
  file: FileHandle,
  errors: UploadErrors,
): Promise<number> {
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBytes) throw errors.tooLarge(maxBytes);
      await file.appendFile(chunk);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    throw errors.interrupted();
  }
  return size;
}
