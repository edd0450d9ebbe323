import type { Store } from '@store-sales/contract/console';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { storesQuery } from '../api/account.ts';

/** The store of the address; only for screens below `/stores/$storeId`, whose loader has seen that it exists. */
export function useStore(): Store {
  const { storeId } = useParams({ from: '/signed-in/stores/$storeId' });
  const { data } = useSuspenseQuery(storesQuery);
  return data.find(({ id }) => id === storeId) as Store;
}
