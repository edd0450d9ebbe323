import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { useTranslation } from '../i18n/index.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Cursors of the previous pages; '' for the first. */
    previousCursors?: string[];
  }
}

export interface PaginationProps {
  cursor: string | undefined;
  next: string | null;
  onNavigate(cursor: string | undefined, state: { previousCursors: string[] }): void;
}

/** Previous cursors are kept in the history state; a shared URL has none, so "previous" leads to the first page. */
export function Pagination({ cursor, next, onNavigate }: PaginationProps) {
  const { t } = useTranslation();
  const previousCursors = useRouterState({ select: ({ location }) => location.state.previousCursors }) ?? [];
  if (!cursor && !next) return null;
  const navigate = (to: string, stack: string[]) => onNavigate(to || undefined, { previousCursors: stack });
  return (
    <Group component="nav" justify="flex-end" mt="md" gap="sm" aria-label={t('common.pages')}>
      {previousCursors.length !== 1 && cursor && (
        <Button variant="subtle" onClick={() => navigate('', [])}>
          {t('common.firstPage')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconChevronLeft size={16} />}
        disabled={!cursor}
        onClick={() => navigate(previousCursors.at(-1) ?? '', previousCursors.slice(0, -1))}
      >
        {t('common.previousPage')}
      </Button>
      <Button
        variant="default"
        rightSection={<IconChevronRight size={16} />}
        disabled={!next}
        onClick={() => next && navigate(next, [...previousCursors, cursor ?? ''])}
      >
        {t('common.nextPage')}
      </Button>
    </Group>
  );
}
