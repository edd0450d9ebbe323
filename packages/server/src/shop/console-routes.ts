import { picturesOfShop, type ShopPlace } from '../files/pictures.ts';
import type { PictureReceiver } from '../files/receive-picture.ts';
import type { ConsoleCall, ConsoleHandlersAt } from '../http/bind.ts';
import type { Services } from '../services.ts';
import type { StoreRow } from '../tenants.ts';
import { setShopPicture } from './shop-pictures.ts';
import { readSettings, saveSettings } from './shop-settings.ts';

/** The owner's settings of the order page. */
export function shopConsoleRoutes(
  { db }: Services,
  publicUrl: () => string,
  receive: PictureReceiver,
): ConsoleHandlersAt<'/stores/{storeId}/shop'> {
  const scopeOf = ({ id, owner_id, name }: StoreRow) => ({ storeId: id, ownerId: owner_id, name });
  const url = () => `${publicUrl()}/shop`;
  const pictures = async ({ id }: StoreRow) => ({ body: await picturesOfShop(db, id) });
  const upload =
    (place: ShopPlace) =>
    async (call: ConsoleCall<'PUT /stores/{storeId}/shop/logo' | 'PUT /stores/{storeId}/shop/cover'>) => {
      await receive(call, (guarded, decoded, maxMiB) =>
        setShopPicture(guarded, call.store, place, { decoded, maxMiB }, call),
      );
      return pictures(call.store);
    };
  const remove =
    (place: ShopPlace) =>
    async (call: ConsoleCall<'DELETE /stores/{storeId}/shop/logo' | 'DELETE /stores/{storeId}/shop/cover'>) => {
      await setShopPicture(db, call.store, place, undefined, call);
      return pictures(call.store);
    };
  return {
    'GET /stores/{storeId}/shop': async ({ store }) => ({
      body: { ...(await readSettings(db, scopeOf(store))), url: url() },
    }),
    'PUT /stores/{storeId}/shop': async ({ store, body, actor, now, ifMatch }) => ({
      body: { ...(await saveSettings(db, scopeOf(store), body, actor, now, ifMatch)), url: url() },
    }),
    'GET /stores/{storeId}/shop/pictures': ({ store }) => pictures(store),
    'PUT /stores/{storeId}/shop/logo': upload('logo'),
    'PUT /stores/{storeId}/shop/cover': upload('cover'),
    'DELETE /stores/{storeId}/shop/logo': remove('logo'),
    'DELETE /stores/{storeId}/shop/cover': remove('cover'),
  };
}
