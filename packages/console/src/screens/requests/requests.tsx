import { Box, Skeleton, Stack } from '@mantine/core';
import type { RequestFilter } from '@store-sales/contract/console';
import { IconPlayerPause, IconSearch, IconTransfer } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { requestCountsQuery, requestsQuery } from '../../api/requests.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { ErrorState } from '../../shell/error-state.tsx';
import { Page } from '../../shell/page.tsx';
import { ShowMore } from '../../shell/show-more.tsx';
import { useStore } from '../../shell/use-store.ts';
import { Counts } from './counts.tsx';
import { type FilterChange, Filters } from './filters.tsx';
import { RequestDialog } from './request-dialog.tsx';
import { RequestList } from './request-list.tsx';

/** The filters and the open request are in the URL. */
export function Requests() {
  const { t } = useTranslation();
  const store = useStore();
  const { line, ...filter } = useSearch({ from: '/signed-in/stores/$storeId/settings/requests' });
  const navigate = useNavigate({ from: '/stores/$storeId/settings/requests' });
  const log = useInfiniteQuery(requestsQuery(store.id, filter));
  const { data: counts } = useQuery(requestCountsQuery(store.id, filter));
  const requests = log.data?.pages.flatMap((page) => page.requests);
  const isFiltered = Object.keys(filter).length > 0;
  const isOff = counts?.keptDays === 0;
  const open = (change: FilterChange & { line?: string | undefined }) =>
    void navigate({
      search: (previous) => ({ ...previous, ...change }) as RequestFilter & { line?: string },
      replace: true,
      resetScroll: false,
    });

  return (
    <Page title={t('requests.title')} text={counts?.keptDays ? t('requests.text', { count: counts.keptDays }) : ''}>
      <Stack gap="md">
        {(isFiltered || !!requests?.length) && (
          <Filters
            storeId={store.id}
            filter={filter}
            counts={counts}
            onChange={open}
            onClear={() => void navigate({ search: {}, replace: true, resetScroll: false })}
          />
        )}
        {!!requests?.length && counts && <Counts of={counts} filter={filter} onChange={open} />}
        {log.error && !requests ? (
          <ErrorState error={log.error} onRetry={() => void log.refetch()} />
        ) : !requests || !counts ? (
          <Stack className="panel" p="lg" gap="lg" role="status" aria-label={t('common.loading')}>
            {[1, 2, 3, 4].map((row) => (
              <Skeleton key={row} h={22} />
            ))}
          </Stack>
        ) : requests.length ? (
          <RequestList requests={requests} />
        ) : isFiltered ? (
          <EmptyState icon={IconSearch} title={t('common.noResults')} text={t('requests.noMatchText')} />
        ) : (
          <EmptyState
            icon={isOff ? IconPlayerPause : IconTransfer}
            title={t(isOff ? 'requests.offTitle' : 'requests.emptyTitle')}
            text={t(isOff ? 'requests.offText' : 'requests.emptyText')}
          />
        )}
        <Box>
          <ShowMore query={log} />
        </Box>
      </Stack>
      {line && <RequestDialog storeId={store.id} lineId={line} onClose={() => open({ line: undefined })} />}
    </Page>
  );
}
