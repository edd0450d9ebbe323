import { Box, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { OrderStatus, StatusGroup } from '@store-sales/contract';
import type { ListedOrder, OrderChoices } from '@store-sales/contract/console';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type DragEvent, useId, useState } from 'react';
import { boardQuery } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import { explain } from '../../shell/explain.ts';
import { useStore } from '../../shell/use-store.ts';
import classes from './board.module.css';
import { BoardCard } from './board-card.tsx';

interface BoardColumnProps {
  group: StatusGroup;
  choices: OrderChoices;
  filters: Parameters<typeof boardQuery>[2];
  /** Number of its orders, if they are counted. */
  count: string | undefined;
  mayMove: boolean;
  /** A card of another stage is being dragged. */
  canDrop: boolean;
  onDrag(order: ListedOrder | undefined): void;
  onDrop(): void;
  onMove(order: ListedOrder, status: OrderStatus): void;
}

export function BoardColumn(props: BoardColumnProps) {
  const { group, choices, filters, count, mayMove, canDrop, onDrag, onDrop, onMove } = props;
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const titleId = useId();
  const [isDragOver, setDragOver] = useState(false);
  const column = useInfiniteQuery(boardQuery(storeId, group, filters));
  const orders = column.data?.pages.flatMap(({ data }) => data);

  const onDragOver = (event: DragEvent) => {
    if (!canDrop) return;
    event.preventDefault();
    setDragOver(true);
  };
  const onDragLeave = (event: DragEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDragOver(false);
  };
  return (
    <Box
      component="section"
      className={classes.column ?? ''}
      aria-labelledby={titleId}
      data-over={(canDrop && isDragOver) || undefined}
      onDragOver={onDragOver}
      onDragLeave={onDragLeave}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setDragOver(false);
        if (canDrop) onDrop();
      }}
    >
      <Group gap={6} px={4} pb="xs" wrap="nowrap">
        <Title order={2} fz="sm" id={titleId}>
          {t(`orders.groups.${group}`)}
        </Title>
        {count !== undefined && (
          <Text size="sm" c="dimmed">
            {count}
          </Text>
        )}
      </Group>
      <Stack gap="xs" component="ul" m={0} p={0} className={classes.cards ?? ''}>
        {orders?.map((order) => (
          <BoardCard
            key={order.id}
            order={order}
            choices={choices}
            mayMove={mayMove}
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
            aria-label={`${t('common.showMore')}: ${t(`orders.groups.${group}`)}`}
          >
            {t('common.showMore')}
          </Button>
        </Group>
      )}
    </Box>
  );
}
