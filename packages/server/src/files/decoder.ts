import { spawn } from 'node:child_process';
import { availableParallelism, totalmem } from 'node:os';
import { MAX_PICTURE_MEGAPIXELS } from '@store-sales/contract/console';
import type { Logger } from 'pino';
import { DomainError } from '../domain-error.ts';
import { PICTURE_DECODER } from '../paths.ts';
import { SECOND } from '../time/duration.ts';
import type { DecodedHead, DecodeOptions } from './decode-picture.ts';
import type { Refusal } from './picture-format.ts';

/** The sizes that pages use; a picture is never enlarged. */
export const PICTURE_WIDTHS = [160, 480, 960, 1600];

const GIB = 2 ** 30;
/** A 50 megapixel AVIF with transparency takes 1 GiB. */
const MAX_MEMORY = 1.5 * GIB;
const TIMEOUT_MS = 30 * SECOND;
/** Of all sizes of a picture; those of a noise are 2 MiB. */
const MAX_OUTPUT_BYTES = 16 * 2 ** 20;
/** Half of the cores, and less than half of the memory. */
const MAX_RUNNING = Math.max(
  1,
  Math.min(
    4,
    Math.floor(availableParallelism() / 2),
    Math.floor(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / (4 * GIB)),
  ),
);
/** Stores whose pictures wait; each has one at a time. */
const MAX_WAITING = 30;

export interface DecodedFile {
  width: number;
  height: number;
  bytes: Buffer;
}

const refusals: Record<Refusal, string> = {
  picture_not_supported: 'The file is not a PNG, JPEG, WebP or AVIF picture.',
  picture_type_differs:
    'The picture is of another type than its name says. Save it again as the type that it should be.',
  picture_too_many_pixels: `The picture has more than ${MAX_PICTURE_MEGAPIXELS} megapixels. Make it smaller.`,
  picture_animated: 'The picture is animated. Send a still one.',
  picture_with_other_content: 'The file holds something else besides the picture. Save the picture again.',
  picture_unreadable: 'The picture cannot be read: it is incomplete or damaged.',
};

const refused = (code: Refusal) => new DomainError(code, refusals[code]);

/**
 * Decodes pictures of strangers, each in a process of its own that has little memory and time, no environment and a low
 * priority: whatever a picture does to its decoder, the service goes on.
 */
export function pictureDecoder(log: Logger) {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function enter() {
    if (running < MAX_RUNNING) {
      running++;
      return;
    }
    if (waiting.length >= MAX_WAITING)
      throw new DomainError('unavailable', 'The server is busy with other pictures. Try again in a moment.');
    await new Promise<void>((start) => waiting.push(start));
  }

  function leave() {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }

  return async function decode(file: AsyncIterable<Buffer>, type: string): Promise<DecodedFile[]> {
    await enter();
    try {
      return filesOf(await run(file, { type, maxPixels: MAX_PICTURE_MEGAPIXELS * 1e6, widths: PICTURE_WIDTHS }, log));
    } finally {
      leave();
    }
  };
}

export type PictureDecoder = ReturnType<typeof pictureDecoder>;

/** Where there is a shell, it limits memory and time, also if the service ends before the decoder; and of a machine without memory left, Linux ends the decoder first. */
const LIMITED = `ulimit -d ${MAX_MEMORY / 1024}; ulimit -t ${(2 * TIMEOUT_MS) / SECOND}; echo 1000 > /proc/self/oom_score_adj; exec "$0" "$@"`;

function run(file: AsyncIterable<Buffer>, options: DecodeOptions, log: Logger): Promise<Buffer> {
  const program = [
    process.execPath,
    '--no-warnings',
    ...(PICTURE_DECODER.endsWith('.ts') ? ['--experimental-strip-types'] : []),
    PICTURE_DECODER,
    JSON.stringify(options),
  ] as [string, ...string[]];
  const [command, ...args] = process.platform === 'win32' ? program : (['/bin/sh', '-c', LIMITED, ...program] as const);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: {}, stdio: ['pipe', 'pipe', 'ignore'] });
    const kill = () => child.kill('SIGKILL');
    const timer = setTimeout(kill, TIMEOUT_MS);
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) kill();
      else chunks.push(chunk);
    });
    // It may end before it has read everything.
    child.stdin.on('error', () => {});
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve(Buffer.concat(chunks));
      log.warn({ code, signal }, 'a picture could not be decoded');
      reject(refused('picture_unreadable'));
    });
    send(file, child.stdin).catch((error) => {
      kill();
      reject(error);
    });
  });
}

async function send(file: AsyncIterable<Buffer>, to: NodeJS.WritableStream) {
  // At most MAX_PICTURE_BYTES, most of which the pipe of the process takes only when it reads.
  for await (const chunk of file) to.write(chunk);
  to.end();
}

function filesOf(output: Buffer): DecodedFile[] {
  const end = output.indexOf('\n');
  const { refusal, files = [] } = JSON.parse(output.toString('utf8', 0, end)) as DecodedHead;
  if (refusal) throw refused(refusal);
  let at = end + 1;
  return files.map(({ width, height, size }) => {
    at += size;
    return { width, height, bytes: output.subarray(at - size, at) };
  });
}
