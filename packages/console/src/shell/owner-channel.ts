import { removeDrafts } from './drafts.ts';
import { discardAll } from './unsaved.tsx';

/** Tells the other tabs of this browser who is signed in: they share the cookie. */
const channel = new BroadcastChannel('store-sales-owner');

/** `undefined`: nobody is signed in any more. */
export const announceOwner = (ownerId: string | undefined) => channel.postMessage(ownerId ?? '');

export function onOwnerAnnounced(handle: (ownerId: string) => void) {
  const listen = ({ data }: MessageEvent<string>) => handle(data);
  channel.addEventListener('message', listen);
  return () => channel.removeEventListener('message', listen);
}

/** Reloads the console for another person; nothing of this one is kept or sent. */
export function leaveForAnotherOwner() {
  discardAll();
  removeDrafts();
  window.location.replace('/console/');
}
