import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { addProduct } from '../../test/catalog.ts';
import { solid, uploadTo } from '../../test/pictures.ts';
import { startService } from '../../test/service.ts';
import { signedInOwner } from '../../test/signed-in-owner.ts';

const service = await startService();
const { visitor, storeId } = await signedInOwner(service);
const productId = await addProduct(service, storeId);
const send = uploadTo(service, visitor, storeId, productId);

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A PNG with any dimensions and chunks. */
function png(width: number, height: number, ...chunks: Buffer[]) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', head), ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

const good = await solid().png().toBuffer();
const zeros = deflateSync(Buffer.alloc(1_000_000));
const frames = [solid(8, 8, '#000000'), solid(8, 8, '#ffffff')].map((each) => each.png().toBuffer());
const animation = await sharp(await Promise.all(frames), { join: { animated: true } })
  .webp()
  .toBuffer();

const hostile: Record<string, [bytes: Buffer | string, code: string, type?: string]> = {
  'a bomb of 60,000 × 60,000 pixels': [png(60_000, 60_000, chunk('IDAT', zeros)), 'picture_too_many_pixels'],
  'more pixels than a number holds': [png(2 ** 31 - 1, 2 ** 31 - 1, chunk('IDAT', zeros)), 'picture_unreadable'],
  'a picture of 51 megapixels': [await solid(10_200, 5000).png().toBuffer(), 'picture_too_many_pixels'],
  'fewer pixels than its size says': [png(5000, 5000, chunk('IDAT', zeros)), 'picture_unreadable'],
  'a PNG without pixels': [png(10, 10), 'picture_unreadable'],
  'an SVG': ['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', 'picture_not_supported'],
  'an SVG that includes a file': [
    '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
    'picture_not_supported',
  ],
  'a GIF with the type of a PNG': [await solid().gif().toBuffer(), 'picture_not_supported'],
  'a TIFF': [await solid().tiff().toBuffer(), 'picture_not_supported', 'image/jpeg'],
  'a page with the type of a picture': ['<!doctype html><script>alert(1)</script>', 'picture_not_supported'],
  'a JPEG that says to be a PNG': [await solid().jpeg().toBuffer(), 'picture_type_differs'],
  'a truncated PNG': [good.subarray(0, good.length - 20), 'picture_unreadable'],
  'a truncated JPEG': [(await solid(400, 400).jpeg().toBuffer()).subarray(0, 900), 'picture_unreadable', 'image/jpeg'],
  'a truncated WebP': [(await solid().webp().toBuffer()).subarray(0, 40), 'picture_unreadable', 'image/webp'],
  'a truncated AVIF': [(await solid().avif().toBuffer()).subarray(0, -10), 'picture_unreadable', 'image/avif'],
  'a header alone': ['\x89PNG\r\n\x1a\n', 'picture_not_supported'],
  nothing: ['', 'picture_not_supported'],
  'an animated PNG': [png(8, 8, chunk('acTL', Buffer.alloc(8)), chunk('IDAT', zeros)), 'picture_animated'],
  'an animated WebP': [animation, 'picture_animated', 'image/webp'],
  'a PNG with a page after its end': [Buffer.concat([good, Buffer.from('<p>')]), 'picture_with_other_content'],
  'a PNG with a script in its text': [
    png(1, 1, chunk('tEXt', Buffer.from('Comment\0<script >alert(1)</script>'))),
    'picture_with_other_content',
  ],
  'a JPEG with an archive after its end': [
    Buffer.concat([await solid().jpeg().toBuffer(), Buffer.from('PK\x05\x06'), Buffer.alloc(18)]),
    'picture_with_other_content',
    'image/jpeg',
  ],
  'a JPEG that is a PDF too': [
    Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 10]),
      Buffer.from('%PDF-1.4'),
      await solid().jpeg().toBuffer(),
    ]),
    'picture_with_other_content',
    'image/jpeg',
  ],
  'a WebP with a program after its end': [
    Buffer.concat([await solid().webp().toBuffer(), Buffer.from('\x7fELF')]),
    'picture_with_other_content',
    'image/webp',
  ],
};

describe('is refused', () => {
  test.each(Object.entries(hostile))('%s', async (_, [bytes, code, type]) => {
    const { status, body } = await send(bytes, type);
    expect(body.code).toBe(code);
    expect([413, 415, 422]).toContain(status);
  });

  test('a file of more than 10 MiB, also without its length', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024 + 1);
    expect(await send(large)).toMatchObject({ status: 413, body: { code: 'picture_too_large' } });
    const cookie = [...visitor.jar].map((pair) => pair.join('=')).join('; ');
    const parts = new ReadableStream({
      start(controller) {
        controller.enqueue(large);
        controller.close();
      },
    });
    const response = await fetch(`${service.url}/console/api/stores/${storeId}/products/${productId}/pictures`, {
      method: 'POST',
      headers: { origin: service.url, cookie, 'content-type': 'image/png' },
      body: parts,
      duplex: 'half',
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  test.each(['text/csv', 'image/svg+xml', 'multipart/form-data; boundary=x'])('the type %s', async (type) =>
    expect((await send(good, type)).status).toBe(415),
  );
});

test('after all of them the product has no picture, and the next one is stored', async () => {
  const path = `/stores/${storeId}/products/${productId}/pictures`;
  expect((await visitor.get(path)).body).toEqual([]);
  expect(await send(good)).toMatchObject({ status: 201, body: { pictures: [{ files: [{ width: 40, height: 30 }] }] } });
});
