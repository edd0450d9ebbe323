import { Box, Button, Group } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { isUncertain } from '../api/client.ts';
import { useTranslation } from '../i18n/index.ts';
import { EmptyState } from './empty-state.tsx';
import { ErrorState } from './error-state.tsx';
import { Pagination, type PaginationProps } from './pagination.tsx';
import { TableSkeleton } from './table-skeleton.tsx';

interface PagedListProps<Item> {
  query: UseQueryResult<{ data: Item[]; page: { nextCursor: string | null }; suggestion?: string }>;
  cursor: string | undefined;
  isFiltered: boolean;
  icon: Icon;
  /** `older`: a page may have no matches while older records are not searched yet. */
  texts: { none: string; older?: string; emptyTitle: string; empty: string };
  emptyAction?: ReactNode;
  onNavigate: PaginationProps['onNavigate'];
  onSearchOlder?(cursor: string): void;
  onClear(): void;
  /** Searches for a suggested text. */
  onSearch?(q: string): void;
  children(items: Item[]): ReactNode;
}

/** One page of a list in all its states: loading, error, no matches, empty. */
export function PagedList<Item>(props: PagedListProps<Item>) {
  const { query, cursor, icon, texts, emptyAction, onNavigate, onSearchOlder, onClear, onSearch, children } = props;
  const { data, error, isPlaceholderData, refetch } = query;
  const { t } = useTranslation();
  const isFiltered = props.isFiltered || cursor !== undefined;
  if (!data && error)
    // A filter may be invalid; a lost connection is no reason to clear it.
    return (
      <ErrorState error={error} onRetry={() => (isFiltered && !isUncertain(error) ? onClear() : void refetch())} />
    );
  if (!data) return <TableSkeleton />;
  const { nextCursor } = data.page;
  const suggestion = isPlaceholderData ? undefined : data.suggestion;
  if (data.data.length)
    return (
      <Box opacity={isPlaceholderData ? 0.6 : 1} aria-busy={isPlaceholderData}>
        {children(data.data)}
        <Pagination cursor={cursor} next={isPlaceholderData ? null : nextCursor} onNavigate={onNavigate} />
      </Box>
    );
  if (nextCursor && texts.older)
    return (
      <EmptyState icon={icon} title={t('common.noResults')} text={texts.older}>
        <Button onClick={() => onSearchOlder?.(nextCursor)}>{t('common.searchOlder')}</Button>
      </EmptyState>
    );
  if (isFiltered)
    return (
      <EmptyState icon={icon} title={t('common.noResults')} text={texts.none}>
        <Group justify="center">
          {suggestion && onSearch && (
            <Button onClick={() => onSearch(suggestion)}>{t('common.didYouMean', { text: suggestion })}</Button>
          )}
          <Button variant="default" onClick={onClear}>
            {t('common.clearFilters')}
          </Button>
        </Group>
      </EmptyState>
    );
  return (
    <EmptyState icon={icon} title={texts.emptyTitle} text={texts.empty}>
      {emptyAction}
    </EmptyState>
  );
}
