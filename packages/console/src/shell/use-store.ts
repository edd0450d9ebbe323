import type { Store } from '@store-sales/contract/console';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { storesQuery } from '../api/account.ts';

/** The store in the URL. Only for screens below `/stores/$storeId`, whose loader checks that it exists. */
export function useStore(): Store {
  const { storeId } = useParams({ strict: false });
  const { data } = useSuspenseQuery(storesQuery);
  return data.find(({ id }) => id === storeId) as Store;
}
