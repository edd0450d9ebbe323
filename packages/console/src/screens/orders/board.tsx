import { Box, Text } from '@mantine/core';
import type { Order, OrderStatus, StatusGroup } from '@store-sales/contract';
import type { OrderChoices, OrderPage } from '@store-sales/contract/console';
import { type InfiniteData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { boardQuery, changeOrder, choicesQuery, keepOrder } from '../../api/orders.ts';
import { ErrorState } from '../../shell/error-state.tsx';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.ts';
import { Page } from '../../shell/page.tsx';
import { Pending } from '../../shell/pending.tsx';
import { statusName } from '../../shell/system-names.ts';
import { useStore } from '../../shell/use-store.ts';
import classes from './board.module.css';
import { BoardColumn } from './board-column.tsx';
import { ViewSwitch } from './view-switch.tsx';

type Column = InfiniteData<OrderPage, string>;

/** Orders by stage: a card is dragged to another, or sent there from its menu. */
export function Board() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { data: choices, error, refetch } = useQuery(choicesQuery(storeId));
  return (
    <Page title={t('orders.title')} action={<ViewSwitch value="board" />}>
      {choices ? (
        <Columns key={storeId} storeId={storeId} choices={choices} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Pending />
      )}
    </Page>
  );
}

function Columns({ storeId, choices }: { storeId: string; choices: OrderChoices }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [dragged, setDragged] = useState<Order>();
  const groups = [...new Set(choices.statuses.map(({ group }) => group))];
  const groupOf = (order: Order) => choices.statuses.find(({ id }) => id === order.status.id)?.group;
  const keyOf = (group: StatusGroup) => boardQuery(storeId, group).queryKey;

  /** Shows the card at its new place before the server has answered. */
  function show(order: Order, status: OrderStatus) {
    for (const group of groups)
      queryClient.setQueryData<Column>(keyOf(group), (column) =>
        column ? placed(column, order, group === status.group ? status : undefined) : undefined,
      );
  }

  const { mutate } = useMutation({
    mutationFn: ({ order, status }: { order: Order; status: OrderStatus }) =>
      changeOrder(storeId, order.id, { statusId: status.id }),
    async onMutate({ order, status }) {
      await Promise.all(groups.map((group) => queryClient.cancelQueries({ queryKey: keyOf(group) })));
      show(order, status);
    },
    onSuccess(paper) {
      keepOrder(queryClient, storeId, paper);
      notify(t('orders.moved', { number: paper.order.number, status: statusName(paper.order.status, t) }));
    },
    onError(error) {
      notify(explain(error, t), false);
      for (const group of groups) void queryClient.invalidateQueries({ queryKey: keyOf(group) });
    },
  });
  const move = (order: Order, status: OrderStatus) => {
    if (status.id !== order.status.id) mutate({ order, status });
  };

  return (
    <Box>
      <Text c="dimmed" mt={-20} mb="md">
        {t('orders.boardHint')}
      </Text>
      <section className={classes.board} aria-label={t('orders.board')}>
        {groups.map((group) => (
          <BoardColumn
            key={group}
            group={group}
            choices={choices}
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

/** A column without the order, or with it in its place by time. */
function placed(column: Column, order: Order, status: OrderStatus | undefined): Column {
  const pages = column.pages.map((page) => ({ ...page, data: page.data.filter(({ id }) => id !== order.id) }));
  const [first, ...rest] = pages;
  if (!status || !first) return { ...column, pages };
  const { id, code, name } = status;
  const data = [...first.data, { ...order, status: { id, code, name } }].sort((a, b) => b.number - a.number);
  return { ...column, pages: [{ ...first, data }, ...rest] };
}
