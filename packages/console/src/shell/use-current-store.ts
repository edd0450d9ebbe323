import type { Store } from '@store-sales/contract/console';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { storesQuery } from '../api/account.ts';
import { lastStore } from './last-store.ts';

/** The store in the URL, or the last opened one on screens without a store. */
export function useCurrentStore(): Store | undefined {
  const { storeId } = useParams({ strict: false });
  // Used by every date on a page: reading it must not load the stores again.
  const { data } = useSuspenseQuery({ ...storesQuery, refetchOnMount: false });
  return data.find(({ id }) => id === (storeId ?? lastStore())) ?? data[0];
}
