/** Why a file is refused. */
export type Refusal =
  | 'picture_not_supported'
  | 'picture_type_differs'
  | 'picture_too_many_pixels'
  | 'picture_animated'
  | 'picture_with_other_content'
  | 'picture_unreadable';

interface Format {
  type: string;
  is(bytes: Buffer): boolean;
  /** Why the file is refused before it is decoded. */
  refusal(bytes: Buffer): Refusal | undefined;
}

const hasText = (bytes: Buffer, at: number, ...texts: string[]) =>
  texts.includes(bytes.toString('latin1', at, at + (texts[0]?.length ?? 0)));

const PNG_SIGNATURE = '\x89PNG\r\n\x1a\n';
const AVIF_BRANDS = ['avif', 'avis'];

/** Where the picture ends in the file tells whether something follows it. */
const atEnd = (end: number, { length }: Buffer): Refusal | undefined => {
  if (end > length) return 'picture_unreadable';
  return end < length ? 'picture_with_other_content' : undefined;
};

const formats: readonly Format[] = [
  {
    type: 'image/png',
    is: (bytes) => hasText(bytes, 0, PNG_SIGNATURE),
    refusal(bytes) {
      for (let at = PNG_SIGNATURE.length; at + 12 <= bytes.length; ) {
        const end = at + 12 + bytes.readUInt32BE(at);
        if (hasText(bytes, at + 4, 'acTL')) return 'picture_animated';
        if (hasText(bytes, at + 4, 'IEND')) return atEnd(end, bytes);
        at = end;
      }
      return 'picture_unreadable';
    },
  },
  {
    type: 'image/jpeg',
    is: (bytes) => bytes.length > 2 && bytes.readUIntBE(0, 3) === 0xffd8ff,
    // Phones put other things after the picture, such as brightness maps and short videos, so its end tells nothing.
    refusal: () => undefined,
  },
  {
    type: 'image/webp',
    is: (bytes) => hasText(bytes, 0, 'RIFF') && hasText(bytes, 8, 'WEBP'),
    refusal(bytes) {
      if (bytes.length < 21) return 'picture_unreadable';
      if (hasText(bytes, 12, 'VP8X') && bytes.readUInt8(20) & 2) return 'picture_animated';
      const size = bytes.readUInt32LE(4);
      return atEnd(8 + size + (size % 2), bytes);
    },
  },
  {
    type: 'image/avif',
    is: (bytes) => hasText(bytes, 4, 'ftyp') && brandsOf(bytes).some((brand) => AVIF_BRANDS.includes(brand)),
    refusal(bytes) {
      if (brandsOf(bytes)[0] === 'avis') return 'picture_animated';
      let at = 0;
      while (at + 8 <= bytes.length) {
        const size = bytes.readUInt32BE(at);
        // 0: up to the end of the file. 1: a size of 64 bits follows, which no picture of this size needs.
        if (size === 0) return undefined;
        if (size < 8) return 'picture_unreadable';
        at += size;
      }
      return atEnd(at, bytes);
    },
  },
];

/** The major brand of an ISO media file, then the compatible ones. */
function brandsOf(bytes: Buffer): string[] {
  if (bytes.length < 16) return [];
  const end = Math.min(bytes.readUInt32BE(0), bytes.length, 512);
  const brands = [bytes.toString('latin1', 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(bytes.toString('latin1', at, at + 4));
  return brands;
}

/** A browser that is told to guess, or a reader of archives, would take the file for something else. */
const MARKUP = /<(?:html|script)[\s>]|<!doctype\s|<\?php\s/i;
/** The end of an archive: its last record, and a comment of at most 64 KiB. */
const ARCHIVE_END = 22 + 65_535;

const hasOtherContent = (bytes: Buffer) =>
  bytes.subarray(0, 1024).includes('%PDF-') ||
  bytes.subarray(-ARCHIVE_END).includes('PK\x05\x06') ||
  MARKUP.test(bytes.toString('latin1'));

/** Why a file that is said to be of this type is refused before it is decoded; undefined if it is not. */
export function refusalOf(bytes: Buffer, type: string): Refusal | undefined {
  const format = formats.find(({ is }) => is(bytes));
  if (!format) return 'picture_not_supported';
  if (format.type !== type) return 'picture_type_differs';
  return format.refusal(bytes) ?? (hasOtherContent(bytes) ? 'picture_with_other_content' : undefined);
}
