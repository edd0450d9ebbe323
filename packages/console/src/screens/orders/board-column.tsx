import { Box, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { Order, OrderStatus, StatusGroup } from '@store-sales/contract';
import type { OrderChoices } from '@store-sales/contract/console';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type DragEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { boardQuery } from '../../api/orders.ts';
import { explain } from '../../shell/explain.ts';
import { useStore } from '../../shell/use-store.ts';
import classes from './board.module.css';
import { BoardCard } from './board-card.tsx';

interface BoardColumnProps {
  group: StatusGroup;
  choices: OrderChoices;
  /** A card of another stage is being dragged. */
  canDrop: boolean;
  onDrag(order: Order | undefined): void;
  onDrop(): void;
  onMove(order: Order, status: OrderStatus): void;
}

export function BoardColumn({ group, choices, canDrop, onDrag, onDrop, onMove }: BoardColumnProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const titleId = useId();
  const [isOver, setOver] = useState(false);
  const column = useInfiniteQuery(boardQuery(storeId, group));
  const orders = column.data?.pages.flatMap(({ data }) => data);

  const onDragOver = (event: DragEvent) => {
    if (!canDrop) return;
    event.preventDefault();
    setOver(true);
  };
  const onDragLeave = (event: DragEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
  };
  return (
    <Box
      component="section"
      className={classes.column ?? ''}
      aria-labelledby={titleId}
      data-over={(canDrop && isOver) || undefined}
      onDragOver={onDragOver}
      onDragLeave={onDragLeave}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        if (canDrop) onDrop();
      }}
    >
      <Title order={2} fz="sm" id={titleId} px={4} pb="xs">
        {t(`orders.groups.${group}`)}
      </Title>
      <Stack gap="xs" component="ul" m={0} p={0} className={classes.cards ?? ''}>
        {orders?.map((order) => (
          <BoardCard
            key={order.id}
            order={order}
            choices={choices}
            onDrag={onDrag}
            onMove={(status) => onMove(order, status)}
          />
        ))}
      </Stack>
      {column.error ? (
        <Text size="sm" c="var(--mantine-color-error)" px={4}>
          {explain(column.error, t)}
        </Text>
      ) : !orders ? (
        <Stack gap="xs" role="status" aria-label={t('common.loading')}>
          {[1, 2, 3].map((key) => (
            <Skeleton key={key} h={96} radius="md" />
          ))}
        </Stack>
      ) : (
        orders.length === 0 && (
          <Text size="sm" c="dimmed" px={4} py="sm">
            {t('orders.emptyColumn')}
          </Text>
        )
      )}
      {column.hasNextPage && (
        <Group justify="center" mt="xs">
          <Button
            variant="subtle"
            size="compact-sm"
            loading={column.isFetchingNextPage}
            onClick={() => void column.fetchNextPage()}
            aria-label={`${t('orders.more')}: ${t(`orders.groups.${group}`)}`}
          >
            {t('orders.more')}
          </Button>
        </Group>
      )}
    </Box>
  );
}
