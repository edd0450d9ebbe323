import { setPriority } from 'node:os';
import sharp from 'sharp';
import { type Refusal, refusalOf } from './picture-format.ts';

/**
 * The program of the process that decodes one picture: from standard input to its sizes on standard output, after a line of
 * JSON. It is given nothing of the service: no environment, no files, no network.
 */

export interface DecodeOptions {
  /** The type that the client says. */
  type: string;
  maxPixels: number;
  widths: readonly number[];
}

export interface DecodedHead {
  refusal?: Refusal;
  files?: { width: number; height: number; size: number }[];
}

const QUALITY = 82;

async function decode(bytes: Buffer, { type, maxPixels, widths }: DecodeOptions): Promise<Refusal | Buffer[]> {
  const refusal = refusalOf(bytes, type);
  if (refusal) return refusal;
  const options = { limitInputPixels: false, failOn: 'truncated', sequentialRead: true } as const;
  const { width, height, pages = 1 } = await sharp(bytes, options).metadata();
  if (width * height > maxPixels) return 'picture_too_many_pixels';
  if (pages > 1) return 'picture_animated';

  const largest = Math.max(...widths);
  // A narrow picture may be as high as it is, up to twice the width of the largest.
  const within = (max: number) => ({ width: max, height: 2 * max, fit: 'inside', withoutEnlargement: true }) as const;
  const decoded = await sharp(bytes, { ...options, limitInputPixels: maxPixels })
    .autoOrient()
    .resize(within(largest))
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width: fullWidth, height: fullHeight, channels } = decoded.info;
  const raw = { width: fullWidth, height: fullHeight, channels } as const;
  const files: Buffer[] = [];
  const head: DecodedHead = { files: [] };
  for (const max of [...widths.filter((each) => each < fullWidth), fullWidth]) {
    const { data, info } = await sharp(decoded.data, { raw })
      .resize({ width: max })
      .webp({ quality: QUALITY, effort: 4 })
      .toBuffer({ resolveWithObject: true });
    files.push(data);
    head.files?.push({ width: info.width, height: info.height, size: data.length });
  }
  return [Buffer.from(`${JSON.stringify(head)}\n`), ...files];
}

async function main() {
  // Requests of the service come first.
  setPriority(10);
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
  });
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  const result = await decode(Buffer.concat(chunks), JSON.parse(process.argv[2] as string)).catch(
    (): Refusal => 'picture_unreadable',
  );
  const output = typeof result === 'string' ? [Buffer.from(`${JSON.stringify({ refusal: result })}\n`)] : result;
  process.stdout.end(Buffer.concat(output));
}

await main();
