import type { ListedOrder } from '@store-sales/contract/console';
import { MAX_SELECTED } from '@store-sales/contract/values';
import { useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { notify } from '../../shell/notify.tsx';

export interface Selection {
  /** The orders selected one by one, by id, with the versions that were shown. */
  orders: ReadonlyMap<string, ListedOrder>;
  /** All orders that match the filters, on all pages. */
  isAll: boolean;
  has(order: ListedOrder): boolean;
  toggle(order: ListedOrder, page: ListedOrder[], isRange: boolean): void;
  setPage(page: ListedOrder[], isSelected: boolean): void;
  selectAll(): void;
  clear(): void;
}

const nothing = { orders: new Map<string, ListedOrder>(), isAll: false };

/**
 * The selected orders, kept over the pages of a list; other filters clear it. `shown` is the current page: if it is
 * refreshed, the versions that the person sees now count.
 */
export function useSelection(filters: string, shown: readonly ListedOrder[] = []): Selection {
  const { t } = useTranslation();
  const [state, setState] = useState({ ...nothing, filters });
  const lastClicked = useRef<string>(undefined);
  const { orders: selected, isAll } = state.filters === filters ? state : nothing;
  const latest = new Map(shown.map((order) => [order.id, order]));
  const orders = new Map([...selected].map(([id, order]) => [id, latest.get(id) ?? order]));

  function set(changed: readonly ListedOrder[], isSelected: boolean) {
    const next = new Map(orders);
    for (const order of changed) {
      if (isSelected) next.set(order.id, order);
      else next.delete(order.id);
    }
    if (next.size > MAX_SELECTED) notify(t('orders.tooManySelected', { max: MAX_SELECTED }), false);
    else setState({ orders: next, isAll: false, filters });
  }

  return {
    orders,
    isAll,
    has: ({ id }) => isAll || orders.has(id),
    toggle(order, page, isRange) {
      const isSelected = !isAll && !orders.has(order.id);
      const indexOf = (id: string | undefined) => page.findIndex((other) => other.id === id);
      const [from, to] = [indexOf(lastClicked.current), indexOf(order.id)].sort((a, b) => a - b) as [number, number];
      set(isRange && from >= 0 ? page.slice(from, to + 1) : [order], isSelected);
      lastClicked.current = order.id;
    },
    setPage: (page, isSelected) => set(page, isSelected),
    selectAll: () => setState({ orders, isAll: true, filters }),
    clear: () => setState({ ...nothing, filters }),
  };
}
