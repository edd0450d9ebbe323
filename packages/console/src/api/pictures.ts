import type { PathParams, Problem } from '@store-sales/contract';
import type { ConsoleOutput, ConsoleRoute, LimitParams, ShopPictures } from '@store-sales/contract/console';
import { pictureTypes } from '@store-sales/contract/values';
import { ApiError, type Options, urlOf, withSession } from './client.ts';
import { FORM_QUERY, query } from './query.ts';

export const productPicturesQuery = (storeId: string, productId: string) => ({
  ...query('GET /stores/{storeId}/products/{productId}/pictures', { params: { storeId, productId } }),
  ...FORM_QUERY,
});
export const shopPicturesQuery = (storeId: string) => ({
  ...query('GET /stores/{storeId}/shop/pictures', { params: { storeId } }),
  ...FORM_QUERY,
});
export type ShopPlace = keyof ShopPictures;

/** The routes that receive a picture. */
type UploadRoute = Extract<ConsoleRoute, `POST ${string}/pictures` | `PUT ${string}/${ShopPlace}`>;

interface Sending<Route extends UploadRoute> {
  route: Route;
  params: PathParams<Route>;
  file: File;
  onProgress(share: number): void;
}

/** Longer than the server waits for a file and decodes it. */
const TIMEOUT = 120_000;

/** Sends a picture. With XMLHttpRequest, because `fetch` does not tell how much it has sent. */
export async function sendPicture<Route extends UploadRoute>(sending: Sending<Route>): Promise<ConsoleOutput<Route>> {
  const body = await smaller(sending.file);
  return withSession(() => send(sending, body)) as Promise<ConsoleOutput<Route>>;
}

/** Photos of phones are larger: as they are, they take too long on a slow connection. */
const LARGE_BYTES = 2 * 1024 * 1024;
/** The server keeps less. */
const MAX_SIDE = 3200;

/** A large photo with as many pixels as are useful. Other pictures may be transparent, and stay as they are. */
async function smaller(file: File): Promise<Blob> {
  if (file.type !== 'image/jpeg' || file.size < LARGE_BYTES) return file;
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(picture.width * scale);
    canvas.height = Math.round(picture.height * scale);
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    const made = await new Promise<Blob | null>((done) => canvas.toBlob(done, file.type, 0.9));
    return made && made.size < file.size ? made : file;
  } catch {
    // The server says what is wrong with it.
    return file;
  }
}

function send<Route extends UploadRoute>(
  { route, params, file, onProgress }: Sending<Route>,
  body: Blob,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(route.slice(0, route.indexOf(' ')), urlOf(route, { params } as unknown as Options<Route>));
    request.timeout = TIMEOUT;
    request.setRequestHeader('Content-Type', typeOf(file));
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => {
      const response = parsed(request.responseText);
      if (request.status < 300) return resolve(response);
      const { code, params: limit } = response as Partial<Problem> & { params?: LimitParams };
      const retryAfter = Number(request.getResponseHeader('Retry-After') ?? 0);
      reject(new ApiError(code ?? 'internal_error', request.status, [], retryAfter, limit));
    };
    request.onerror = () => reject(new ApiError('offline'));
    request.ontimeout = () => reject(new ApiError('timeout'));
    request.send(body);
  });
}

function parsed(text: string): object {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Some systems do not know the newer types. */
function typeOf({ type, name }: File): string {
  if (type) return type;
  return pictureTypes.find((known) => name.toLowerCase().endsWith(`.${known.slice('image/'.length)}`)) ?? 'image/png';
}
