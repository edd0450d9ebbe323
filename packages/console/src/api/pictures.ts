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
export const sendPicture = <Route extends UploadRoute>(sending: Sending<Route>) =>
  withSession(() => send(sending)) as Promise<ConsoleOutput<Route>>;

function send<Route extends UploadRoute>({ route, params, file, onProgress }: Sending<Route>): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(route.slice(0, route.indexOf(' ')), urlOf(route, { params } as unknown as Options<Route>));
    request.timeout = TIMEOUT;
    request.setRequestHeader('Content-Type', typeOf(file));
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status < 300) return resolve(body);
      const { code, params: limit } = body as Partial<Problem> & { params?: LimitParams };
      const retryAfter = Number(request.getResponseHeader('Retry-After') ?? 0);
      reject(new ApiError(code ?? 'internal_error', request.status, [], retryAfter, limit));
    };
    request.onerror = () => reject(new ApiError('offline'));
    request.ontimeout = () => reject(new ApiError('timeout'));
    request.send(file);
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
