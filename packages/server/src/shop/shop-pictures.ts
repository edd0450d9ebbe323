import type { Actor } from '../actor.ts';
import { lockClock, tick } from '../db/clock/store-clock.ts';
import type { Database } from '../db/database.ts';
import type { DecodedFile } from '../files/decoder.ts';
import { addPicture, deletePicture, picturesOfShop, type ShopPlace } from '../files/pictures.ts';
import { recordHistory } from '../history/history.ts';

interface NewPicture {
  decoded: readonly DecodedFile[];
  maxMiB: number;
}

/** Sets the logo or the cover of the order page, or removes it. */
export const setShopPicture = (
  db: Database,
  store: { id: string; name: string },
  place: ShopPlace,
  picture: NewPicture | undefined,
  { actor, now }: { actor: Actor; now: number },
): Promise<void> =>
  db.transaction(
    async (tx) => {
      await lockClock(tx, store.id);
      const before = (await picturesOfShop(tx, store.id))[place];
      if (!before && !picture) return;
      if (before) await deletePicture(tx, store.id, before.id);
      if (picture) {
        const { decoded, maxMiB } = picture;
        await addPicture(tx, store.id, { place }, decoded, { at: now, maxMiB });
      }
      // Cached pages are of a change number.
      await tick(tx, store.id, now);
      const subject = { kind: 'store', id: store.id, name: store.name } as const;
      const details = { [place]: [before !== null, picture !== undefined] };
      await recordHistory(tx, { scopeId: store.id, actor, action: 'changed', subject, details, at: now });
    },
    { storeId: store.id },
  );
