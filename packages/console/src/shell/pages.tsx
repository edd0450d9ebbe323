import { Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The cursors of the pages before this one; '' for the first. */
    before?: string[];
  }
}

interface PagesProps {
  cursor: string | undefined;
  next: string | null;
  /** Puts the page in the address, and the way back beside it in the browser's history. */
  onGo(cursor: string | undefined, state: { before: string[] }): void;
}

/** The way back is kept with the page in the history; whoever was sent the address goes back to the newest. */
export function Pages({ cursor, next, onGo }: PagesProps) {
  const { t } = useTranslation();
  const before = useRouterState({ select: ({ location }) => location.state.before }) ?? [];
  if (!cursor && !next) return null;
  const go = (to: string, stack: string[]) => onGo(to || undefined, { before: stack });
  return (
    <Group component="nav" justify="flex-end" mt="md" gap="sm" aria-label={t('orders.pages')}>
      {before.length !== 1 && cursor && (
        <Button variant="subtle" onClick={() => go('', [])}>
          {t('orders.newest')}
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconChevronLeft size={16} />}
        disabled={!cursor}
        onClick={() => go(before.at(-1) ?? '', before.slice(0, -1))}
      >
        {t('orders.previous')}
      </Button>
      <Button
        variant="default"
        rightSection={<IconChevronRight size={16} />}
        disabled={!next}
        onClick={() => next && go(next, [...before, cursor ?? ''])}
      >
        {t('orders.next')}
      </Button>
    </Group>
  );
}
