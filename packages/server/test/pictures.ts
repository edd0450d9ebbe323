import sharp from 'sharp';
import type { Browser } from './browser.ts';
import type { Service } from './service.ts';

/** A picture of one colour. */
export const solid = (width = 40, height = 30, background = '#cc8844') =>
  sharp({ create: { width, height, channels: 3, background } });

/** What a test may send as a picture. */
type Bytes = Buffer | string;

/** Sends a file as the browser does. */
export async function upload(
  { url }: Service,
  { jar }: Browser,
  method: 'POST' | 'PUT',
  path: string,
  bytes: Bytes,
  type = 'image/png',
) {
  const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
  const response = await fetch(`${url}/console/api${path}`, {
    method,
    headers: { origin: url, cookie, 'content-type': type },
    body: bytes as string,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : undefined };
}

/** Uploads to the product of a store. */
export const uploadTo = (service: Service, visitor: Browser, storeId: string, productId: string) => {
  const path = `/stores/${storeId}/products/${productId}/pictures`;
  return (bytes: Bytes, type?: string) => upload(service, visitor, 'POST', path, bytes, type);
};
