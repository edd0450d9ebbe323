import { fileError } from './messages.ts';

/** What an Excel workbook begins with: a ZIP archive, or an OLE file. */
const WORKBOOKS = [Buffer.from('PK\x03\x04'), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])];
const LETTER = /[A-Za-z]/;

/**
 * The decoded text of a file in UTF-8, or in Windows-1251, which spreadsheets write in Russian. Anything else is rejected
 * rather than stored with wrong characters.
 */
export async function* readText(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder = new TextDecoder('utf-8', { fatal: true });
  let isStart = true;
  /** While there has been only ASCII, both encodings are possible. */
  let isAscii = true;
  /** The bytes of a character that the next chunk ends. */
  let pending: Uint8Array = new Uint8Array();
  for await (const chunk of bytes) {
    if (isStart && WORKBOOKS.some((start) => start.equals(chunk.subarray(0, start.length))))
      throw fileError({ code: 'workbook', params: {} });
    isStart = false;
    try {
      const text = decoder.decode(chunk, { stream: true });
      pending = chunk.subarray(chunk.findLastIndex((byte) => byte < 0x80) + 1);
      isAscii &&= text.length === chunk.length - pending.length;
      yield text;
    } catch {
      const whole = Buffer.concat([pending, chunk]);
      if (!isAscii || !isCyrillic(whole)) throw fileError({ code: 'not_utf8', params: {} });
      decoder = new TextDecoder('windows-1251');
      yield decoder.decode(whole, { stream: true });
    }
  }
  try {
    yield decoder.decode();
  } catch {
    throw fileError({ code: 'not_utf8', params: {} });
  }
}

/**
 * Whether bytes that are no UTF-8 are Cyrillic letters of Windows-1251. In a damaged UTF-8 file most sequences are valid;
 * in Western encodings single letters stand among those of ASCII.
 */
function isCyrillic(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  const lossy = bytes.toString();
  const broken = lossy.match(/\ufffd/g)?.length ?? 0;
  const valid = lossy.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0;
  if (valid > broken) return false;
  let letters = 0;
  let touching = 0;
  for (let index = 0; index < bytes.length; index++) {
    if ((bytes[index] as number) < 0xc0) continue;
    letters++;
    if (index > 0 && LETTER.test(String.fromCharCode(bytes[index - 1] as number))) touching++;
  }
  return letters > 0 && touching * 2 < letters;
}
