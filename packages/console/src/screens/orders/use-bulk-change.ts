import type { BulkChange, BulkOutcome, ListedOrder, OrderPageQuery } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call, isUncertain } from '../../api/client.ts';
import { findOrders, reloadLists } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import { explain } from '../../shell/explain.ts';
import { useStore } from '../../shell/use-store.ts';

type Failure = Exclude<BulkOutcome, 'changed' | 'unchanged'>;

export interface BulkProgress {
  done: number;
  changed: number;
  unchanged: number;
  failures: { id: string; number: number; reason: Failure }[];
}

/** Orders per request: a step of the progress bar, and what is sent again after a lost connection. */
const CHUNK = 50;

/**
 * Changes orders chunk by chunk. A chunk whose response was lost is sent again on "Continue": orders that already have
 * the status do not change. Without `orders`, the pages of the list are walked by creation, newest first, an order that
 * the changes themselves do not affect.
 */
export function useBulkChange(
  change: BulkChange['change'],
  orders: ListedOrder[] | undefined,
  filters: OrderPageQuery,
) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const [state, setState] = useState<'ready' | 'running' | 'paused' | 'stopped' | 'done'>('ready');
  const [progress, setProgress] = useState<BulkProgress>({ done: 0, changed: 0, unchanged: 0, failures: [] });
  const [problem, setProblem] = useState<string>();
  const isStopped = useRef(false);
  /** The chunk to send next, and how to get the one after it. */
  const walk = useRef<{ chunk?: ListedOrder[] | undefined; start: number; cursor: string | null }>({
    start: 0,
    cursor: '',
  });
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);

  async function nextChunk(): Promise<ListedOrder[] | undefined> {
    const { current } = walk;
    if (orders) {
      const chunk = orders.slice(current.start, current.start + CHUNK);
      current.start += CHUNK;
      return chunk.length ? chunk : undefined;
    }
    // A bounded search may return a page without orders before the last one.
    while (current.cursor !== null) {
      if (isStopped.current) return undefined;
      const { data, page } = await findOrders(storeId, {
        ...filters,
        ...(current.cursor && { cursor: current.cursor }),
      });
      current.cursor = page.nextCursor;
      if (data.length) return data;
    }
    return undefined;
  }

  async function run() {
    isStopped.current = false;
    setState('running');
    setProblem(undefined);
    try {
      while (!isStopped.current) {
        walk.current.chunk ??= await nextChunk();
        const { chunk } = walk.current;
        if (!chunk || isStopped.current) break;
        const { results } = await call('POST /stores/{storeId}/orders/bulk', {
          params: { storeId },
          body: { change, orders: chunk.map(({ id, etag }) => ({ id, etag })) },
        });
        walk.current.chunk = undefined;
        setProgress((before) => added(before, chunk, results));
      }
      setState(isStopped.current ? 'stopped' : 'done');
    } catch (error) {
      setProblem(explain(error, t));
      setState(isUncertain(error) ? 'paused' : 'stopped');
    }
    reloadLists(queryClient, storeId);
  }

  const stop = () => {
    isStopped.current = true;
  };
  return { state, progress, problem, run: () => void run(), stop };
}

function added(
  { done, changed, unchanged, failures }: BulkProgress,
  chunk: readonly ListedOrder[],
  results: readonly { outcome: BulkOutcome }[],
): BulkProgress {
  const count = (wanted: BulkOutcome) => results.filter(({ outcome }) => outcome === wanted).length;
  const failed = chunk.flatMap(({ id, number }, index) => {
    const reason = results[index]?.outcome;
    return reason === undefined || reason === 'changed' || reason === 'unchanged' ? [] : [{ id, number, reason }];
  });
  return {
    done: done + chunk.length,
    changed: changed + count('changed'),
    unchanged: unchanged + count('unchanged'),
    failures: [...failures, ...failed],
  };
}
