import { Box, Stack } from '@mantine/core';
import type { RequestFilter } from '@store-sales/contract/console';
import { IconPlayerPause, IconSearch, IconTransfer } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { pagesQuery, query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { Loaded } from '../../shell/loaded.tsx';
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
  const options = { params: { storeId: store.id }, query: filter };
  // A request made a moment ago must be listed.
  const log = useInfiniteQuery({
    ...pagesQuery('GET /stores/{storeId}/requests', options),
    select: ({ pages }) => pages.flatMap((page) => page.requests),
    staleTime: 0,
  });
  const { data: counts } = useQuery({
    ...query('GET /stores/{storeId}/requests/counts', options),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const { data: requests } = log;
  const isFiltered = Object.keys(filter).length > 0;
  const isOff = counts?.keptDays === 0;
  const open = (change: FilterChange & { line?: string | undefined }) =>
    void navigate({
      search: (previous) => ({ ...previous, ...change }) as RequestFilter & { line?: string },
      replace: true,
      resetScroll: false,
    });

  return (
    <Page title={t('nav.requests')} text={counts?.keptDays ? t('requests.text', { count: counts.keptDays }) : ''}>
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
        <Loaded query={log}>
          {(lines) =>
            lines.length ? (
              <RequestList requests={lines} />
            ) : isFiltered ? (
              <EmptyState icon={IconSearch} title={t('common.noResults')} text={t('requests.noMatchText')} />
            ) : (
              <EmptyState
                icon={isOff ? IconPlayerPause : IconTransfer}
                title={t(isOff ? 'requests.offTitle' : 'requests.emptyTitle')}
                text={t(isOff ? 'requests.offText' : 'requests.emptyText')}
              />
            )
          }
        </Loaded>
        <Box>
          <ShowMore query={log} />
        </Box>
      </Stack>
      {line && <RequestDialog storeId={store.id} lineId={line} onClose={() => open({ line: undefined })} />}
    </Page>
  );
}
