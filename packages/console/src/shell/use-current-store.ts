import type { Store } from '@store-sales/contract/console';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { storesQuery } from '../api/account.ts';
import { lastStore } from './last-store.ts';

/** The store of the address; on screens without one, the store worked with last. */
export function useCurrentStore(): Store | undefined {
  const { storeId } = useParams({ strict: false });
  const { data } = useSuspenseQuery(storesQuery);
  return data.find(({ id }) => id === (storeId ?? lastStore())) ?? data[0];
}
