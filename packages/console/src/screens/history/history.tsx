import { Box, Group, Text } from '@mantine/core';
import type { HistoryEntry } from '@store-sales/contract/console';
import { type HistoryKind, historyKinds } from '@store-sales/contract/values';
import { IconHistory, IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { keysQuery, sessionQuery } from '../../api/account.ts';
import { pagesQuery } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { Page } from '../../shell/page.tsx';
import { Select } from '../../shell/select.tsx';
import { ShowMore } from '../../shell/show-more.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { Details } from './details.tsx';
import { actionName, actorName, subjectName } from './labels.ts';

export function History() {
  const { t } = useTranslation();
  const store = useStore();
  const may = useMay();
  const filter = useSearch({ from: '/signed-in/stores/$storeId/history' });
  const history = useInfiniteQuery({
    ...pagesQuery('GET /stores/{storeId}/history', { params: { storeId: store.id }, query: filter }),
    select: ({ pages }) => pages.flatMap((page) => page.entries),
    // A change made a moment ago must be listed.
    staleTime: 0,
  });
  const isFiltered = !!filter.kind || !!filter.actor;
  return (
    <Page title={t('nav.history')} text={t('history.text')}>
      <Box>
        <Filters storeId={store.id} hasKeys={store.plan === 'optimal' && may('seeKeys')} />
        <Loaded query={history}>
          {(entries) =>
            entries.length ? (
              <Box component="ol" className="panel" m={0} p={0} style={{ listStyle: 'none' }}>
                {entries.map((entry) => (
                  <Entry key={entry.id} of={entry} />
                ))}
              </Box>
            ) : (
              <EmptyState
                icon={isFiltered ? IconSearch : IconHistory}
                title={isFiltered ? t('common.noResults') : t('history.emptyTitle')}
                text={isFiltered ? t('history.noMatchText') : t('history.emptyText')}
              />
            )
          }
        </Loaded>
        <ShowMore query={history} />
      </Box>
    </Page>
  );
}

function Filters({ storeId, hasKeys }: { storeId: string; hasKeys: boolean }) {
  const { t } = useTranslation();
  const filter = useSearch({ from: '/signed-in/stores/$storeId/history' });
  const navigate = useNavigate({ from: '/stores/$storeId/history' });
  const { data: apiKeys = [] } = useQuery({ ...keysQuery(storeId), enabled: hasKeys });
  const people = [
    { value: 'owner', label: t('history.owner') },
    ...apiKeys.map(({ id, name }) => ({ value: id, label: t('orders.byKey', { name }) })),
    { value: 'system', label: t('orders.bySystem') },
  ];
  return (
    <Group mb="md" gap="sm">
      <Select
        label={t('history.kind')}
        placeholder={t('history.anyKind')}
        clearable
        clearLabel={t('common.clearFilters')}
        w={{ base: '100%', xs: 200 }}
        data={historyKinds.map((value) => ({ value, label: t(`history.kinds.${value}`) }))}
        value={filter.kind ?? null}
        onChange={(kind) =>
          void navigate({
            search: (previous) => ({ ...previous, kind: (kind ?? undefined) as HistoryKind }),
            replace: true,
          })
        }
      />
      <Select
        label={t('history.actor')}
        placeholder={t('history.anyActor')}
        clearable
        clearLabel={t('common.clearFilters')}
        w={{ base: '100%', xs: 240 }}
        data={people}
        value={filter.actor ?? null}
        onChange={(actor) =>
          void navigate({
            search: (previous) => ({ ...previous, actor: (actor ?? undefined) as string }),
            replace: true,
          })
        }
      />
    </Group>
  );
}

function Entry({ of: entry }: { of: HistoryEntry }) {
  const { t } = useTranslation();
  const { dateTime } = useDates();
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <Box component="li" className="panel-part" px={{ base: 'md', sm: 'lg' }} py="sm">
      <Group justify="space-between" align="flex-start" gap={4}>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
          {subjectName(entry.subject.kind, t)}
          {entry.subject.kind !== 'account' && entry.subject.name && (
            <Text span fw={600}>
              {' '}
              {t('history.quoted', { name: entry.subject.name })}
            </Text>
          )}
          {t('history.before')} {actionName(entry.action, t)}
        </Text>
        <Text size="sm" c="dimmed">
          {dateTime(entry.at)}
        </Text>
      </Group>
      <Text size="sm" c="dimmed">
        {actorName(entry.actor, session.account?.id, t)}
      </Text>
      <Details of={entry} />
    </Box>
  );
}
