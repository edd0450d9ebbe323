import { Box, Text } from '@mantine/core';
import type { OrderStatus, StatusGroup } from '@store-sales/contract';
import type { ListedOrder, OrderChoices, OrderPage } from '@store-sales/contract/console';
import { type InfiniteData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import { boardQuery, changeOrder, choicesQuery, updateCachedOrder } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import { explain } from '../../shell/explain.ts';
import { Loaded } from '../../shell/loaded.tsx';
import { notify } from '../../shell/notify.tsx';
import { Page } from '../../shell/page.tsx';
import { Pending } from '../../shell/pending.tsx';
import { statusName } from '../../shell/system-names.ts';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import classes from './board.module.css';
import { BoardColumn } from './board-column.tsx';
import { Filters } from './filters.tsx';
import { useCounts, useCountText } from './use-counts.ts';
import { type BoardView, changedView, toQuery } from './view.ts';
import { ViewSwitch } from './view-switch.tsx';

interface Move {
  order: ListedOrder;
  status: OrderStatus;
}

type Column = InfiniteData<OrderPage, string>;

const route = getRouteApi('/signed-in/stores/$storeId/orders/board');

export function Board() {
  const { t } = useTranslation();
  const { id: storeId, timezone } = useStore();
  const view = route.useSearch();
  const navigate = route.useNavigate();
  const choices = useQuery(choicesQuery(storeId));
  return (
    <Page title={t('nav.orders')} size="wide" action={<ViewSwitch value="board" />}>
      <Filters
        view={view}
        choices={choices.data}
        onChange={(change) => void navigate({ search: changedView(view, change), replace: true })}
        onClear={() => void navigate({ search: {}, replace: true })}
      />
      <Loaded query={choices} pending={<Pending />}>
        {(data) => <Columns key={storeId} storeId={storeId} choices={data} filters={toQuery(view, timezone)} />}
      </Loaded>
    </Page>
  );
}

interface ColumnsProps {
  storeId: string;
  choices: OrderChoices;
  filters: Omit<BoardView, 'period'>;
}

function Columns({ storeId, choices, filters }: ColumnsProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const mayMove = useMay()('changeOrders');
  const [dragged, setDragged] = useState<ListedOrder>();
  const groups = [...new Set(choices.statuses.map(({ group }) => group))];
  const groupOf = (order: ListedOrder) => choices.statuses.find(({ id }) => id === order.status.id)?.group;
  const keyOf = (group: StatusGroup) => boardQuery(storeId, group, filters).queryKey;

  const counts = useCounts(storeId, filters);
  const countText = useCountText();
  const countOf = (group: StatusGroup) => {
    const ids = choices.statuses.filter((status) => status.group === group).map(({ id }) => id);
    const found = counts?.statuses.filter(({ id }) => ids.includes(id));
    if (!found) return undefined;
    const count = found.reduce((sum, status) => sum + status.count, 0);
    return countText({ count, isMore: found.some(({ isMore }) => isMore) });
  };

  /** Puts the card into the column of a status. */
  function show(order: ListedOrder, status: OrderStatus) {
    for (const group of groups)
      queryClient.setQueryData<Column>(keyOf(group), (column) =>
        column ? placed(column, order, group === status.group ? status : undefined) : undefined,
      );
  }

  const shownVersion = (order: ListedOrder) =>
    groups
      .flatMap((group) => queryClient.getQueryData<Column>(keyOf(group))?.pages ?? [])
      .flatMap(({ data }) => data)
      .find(({ id }) => id === order.id)?.etag ?? order.etag;

  const { mutate } = useMutation({
    // One after another, so that a second move of a card is based on the version that the first one made.
    scope: { id: 'board' },
    mutationFn: ({ order, status }: Move) =>
      changeOrder(storeId, order.id, { statusId: status.id }, shownVersion(order)),
    // Optimistic: moves the card before the server responds.
    async onMutate({ order, status }) {
      await Promise.all(groups.map((group) => queryClient.cancelQueries({ queryKey: keyOf(group) })));
      show(order, status);
    },
    onSuccess(details, { status }) {
      show({ ...details.order, etag: details.etag }, status);
      updateCachedOrder(queryClient, storeId, details);
      notify(t('orders.moved', { number: details.order.number, status: statusName(details.order.status, t) }));
    },
    onError(error, { order: { number } }) {
      const isConflict = error instanceof ApiError && error.code === 'precondition_failed';
      notify(isConflict ? t('orders.notMoved', { number }) : explain(error, t), false);
      for (const group of groups) void queryClient.invalidateQueries({ queryKey: keyOf(group) });
    },
  });
  const move = (order: ListedOrder, status: OrderStatus) => {
    if (status.id !== order.status.id) mutate({ order, status });
  };

  return (
    <Box>
      {mayMove && (
        <Text c="dimmed" mt={-20} mb="md">
          {t('orders.boardHint')}
        </Text>
      )}
      <section className={classes.board} aria-label={t('orders.board')}>
        {groups.map((group) => (
          <BoardColumn
            key={group}
            group={group}
            choices={choices}
            filters={filters}
            count={countOf(group)}
            mayMove={mayMove}
            canDrop={dragged !== undefined && groupOf(dragged) !== group}
            onDrag={setDragged}
            onDrop={() => {
              const main = choices.statuses.find(({ code }) => code === group);
              if (dragged && main) move(dragged, main);
              setDragged(undefined);
            }}
            onMove={move}
          />
        ))}
      </section>
    </Box>
  );
}

/** Removes the order from the column, or adds it in order of creation. */
function placed(column: Column, order: ListedOrder, status: OrderStatus | undefined): Column {
  const pages = column.pages.map((page) => ({ ...page, data: page.data.filter(({ id }) => id !== order.id) }));
  const [first, ...rest] = pages;
  if (!status || !first) return { ...column, pages };
  const { id, code, name } = status;
  const data = [...first.data, { ...order, status: { id, code, name } }].sort((a, b) => b.number - a.number);
  return { ...column, pages: [{ ...first, data }, ...rest] };
}
