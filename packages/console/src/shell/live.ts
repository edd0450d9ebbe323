import type { ConsoleRoute, StoreChange } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { urlOf } from '../api/client.ts';
import { useTranslation } from '../i18n/index.ts';
import { notify } from './notify.tsx';

/** Shortest time between two reloads of what is shown. */
const REFRESH_MS = 3000;
/** The browser reconnects by itself, except after an error of the server. */
const RETRY_MS = 30_000;

/** Orders created on this page, which are not news. */
const ownOrders = new Set<number>();
export const addOwnOrder = (number: number) => ownOrders.add(number);

/** What is shown of the store's orders, products and customers. A form keeps the values that it was opened with. */
const LIVE: readonly ConsoleRoute[] = [
  'GET /stores/{storeId}/home',
  'GET /stores/{storeId}/orders',
  'GET /stores/{storeId}/orders/board',
  'GET /stores/{storeId}/orders/counts',
  'GET /stores/{storeId}/orders/{orderId}',
  'GET /stores/{storeId}/products',
  'GET /stores/{storeId}/customers',
  'GET /stores/{storeId}/customers/{customerId}',
  'GET /stores/{storeId}/customers/{customerId}/orders',
  'GET /stores/{storeId}/customers/{customerId}/sales',
];

/** Keeps the page fresh while it is visible, and tells of new orders. */
export function useLiveChanges(storeId: string | undefined) {
  const queryClient = useQueryClient();
  const { t } = useTranslation();
  useEffect(() => {
    if (!storeId) return;
    const params = { storeId };
    let source: EventSource | undefined;
    let latest: StoreChange | undefined;
    // The page is just being loaded.
    let refreshedAt = Date.now();
    let refreshTimer: ReturnType<typeof setTimeout> | undefined;
    let retryTimer: ReturnType<typeof setTimeout> | undefined;

    function refresh() {
      refreshTimer = undefined;
      refreshedAt = Date.now();
      void queryClient.invalidateQueries({
        queryKey: [params],
        predicate: ({ queryKey: [, route] }) => LIVE.includes(route),
      });
    }

    function receive({ data }: MessageEvent<string>) {
      const change = JSON.parse(data) as StoreChange;
      const before = latest;
      latest = change;
      // What is shown may have been loaded before the first message.
      if (before?.seq === change.seq) return;
      refreshTimer ??= setTimeout(refresh, Math.max(0, refreshedAt + REFRESH_MS - Date.now()));
      if (!before) return;
      const own = [...ownOrders].filter((number) => number > before.lastNumber && number <= change.lastNumber);
      const count = change.lastNumber - before.lastNumber - own.length;
      if (count > 0) notify(t('app.newOrders', { count }));
    }

    function connect() {
      source = new EventSource(urlOf('GET /stores/{storeId}/changes', { params }));
      source.onmessage = receive;
      source.onerror = () => {
        if (source?.readyState === EventSource.CLOSED) retryTimer = setTimeout(connect, RETRY_MS);
      };
    }

    function disconnect() {
      source?.close();
      clearTimeout(retryTimer);
    }

    // A browser allows few connections to a server, so hidden tabs have none.
    const onVisibility = () => (document.hidden ? disconnect() : connect());
    if (!document.hidden) connect();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      clearTimeout(refreshTimer);
      disconnect();
    };
  }, [storeId, queryClient, t]);
}
