import { Text } from '@mantine/core';
import type { OrderChoices, OrderCounts } from '@store-sales/contract/console';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/index.ts';
import { statusName } from '../../shell/system-names.ts';
import { Tabs, tab } from '../../shell/tabs.tsx';
import { useStore } from '../../shell/use-store.ts';
import { type Count, useCountText } from './use-counts.ts';
import { changedView, type TableView } from './view.ts';

interface StatusTabsProps {
  view: TableView;
  choices: OrderChoices | undefined;
  counts: OrderCounts | undefined;
}

/** The filter by status, with the number of orders of each. */
export function StatusTabs({ view, choices, counts }: StatusTabsProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const countText = useCountText();
  const entry = (status: string | undefined, name: string, count: Count | undefined) => (
    <Link
      key={status ?? ''}
      to="/stores/$storeId/orders"
      params={{ storeId }}
      search={changedView(view, { status, cursor: undefined })}
      replace
      // The router compares the whole search, page included.
      activeOptions={{ exact: true, includeSearch: true }}
      className={tab}
      {...(view.status === status && { 'aria-current': 'page' })}
    >
      {name}{' '}
      {count && (
        <Text span inherit c="dimmed" fw={400} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {countText(count)}
        </Text>
      )}
    </Link>
  );
  const shown = choices?.statuses.filter(({ isActive, id, code }) => isActive || view.status === (code ?? id)) ?? [];
  return (
    <Tabs label={t('orders.byStatus')}>
      {entry(undefined, t('orders.everything'), counts?.all)}
      {shown.map((status) =>
        entry(
          status.code ?? status.id,
          statusName(status, t),
          counts?.statuses.find(({ id }) => id === status.id),
        ),
      )}
    </Tabs>
  );
}
