import { Box, Button, Group, Text } from '@mantine/core';
import type { OrderChoices, OrderPageQuery } from '@store-sales/contract/console';
import { IconChevronDown, IconX } from '@tabler/icons-react';
import { Fragment, type ReactNode, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { Menu } from '../../shell/menu.tsx';
import { statusName } from '../../shell/system-names.ts';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import type { BulkTarget } from './bulk-dialog.tsx';
import { ExportMenu } from './export-menu.tsx';
import { PrintMenu } from './print-menu.tsx';
import { type Count, useCountText } from './use-counts.ts';
import type { Selection } from './use-selection.ts';

const BulkDialog = lazyDialog(() => import('./bulk-dialog.tsx'));

interface SelectionBarProps {
  selection: Selection;
  /** The filters of the list. */
  query: OrderPageQuery;
  choices: OrderChoices | undefined;
  /** The orders that match the filters, if they are counted. */
  count: Count | undefined;
  hasOtherPages: boolean;
}

/** What can be done with the selected orders. */
export function SelectionBar({ selection, query, choices, count, hasOtherPages }: SelectionBarProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const may = useMay();
  const countText = useCountText();
  const [target, setTarget] = useState<BulkTarget>();
  const { orders, isAll } = selection;
  if (!isAll && orders.size === 0) return null;
  const { order: _order, ...filters } = query;
  // The order of the numbers does not matter: the list sorts them.
  const chosen = isAll ? filters : { numbers: [...orders.values()].map(({ number }) => number).join() };
  return (
    <Box component="section" className="panel" aria-label={t('orders.selection')} px="md" py="sm">
      <Group gap="xs">
        <Text size="sm" fw={500} role="status">
          {isAll ? t('orders.selectedAll') : t('orders.selected', { total: orders.size })}
        </Text>
        {!isAll && hasOtherPages && (
          <Button variant="subtle" size="compact-sm" onClick={selection.selectAll}>
            {count ? t('orders.selectAll', { total: countText(count) }) : t('orders.selectAllUncounted')}
          </Button>
        )}
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconX size={14} />}
          onClick={selection.clear}
          ml={{ sm: 'auto' }}
        >
          {t('orders.clearSelection')}
        </Button>
      </Group>
      <Group gap="xs" mt="xs">
        {may('changeOrders') && (
          <>
            <StatusMenu label={t('orders.changeStatus')}>
              {choices && <StatusItems choices={choices} onChoose={setTarget} />}
            </StatusMenu>
            <StatusMenu label={t('orders.changePayment')}>
              {choices?.paymentStatuses
                .filter(({ isActive }) => isActive)
                .map((status) => (
                  <Menu.Item
                    key={status.id}
                    onClick={() => setTarget({ change: { paymentStatusId: status.id }, name: statusName(status, t) })}
                  >
                    {statusName(status, t)}
                  </Menu.Item>
                ))}
            </StatusMenu>
          </>
        )}
        <ExportMenu storeId={storeId} view={chosen} />
        <PrintMenu chosen={chosen} isMany />
      </Group>
      {target && (
        <BulkDialog
          target={target}
          orders={isAll ? undefined : [...orders.values()]}
          filters={filters}
          total={isAll ? (count?.isMore ? undefined : count?.count) : orders.size}
          onClose={(isStarted) => {
            setTarget(undefined);
            if (isStarted) selection.clear();
          }}
        />
      )}
    </Box>
  );
}

function StatusMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Menu
      width={220}
      target={
        <Button variant="default" rightSection={<IconChevronDown size={16} />}>
          {label}
        </Button>
      }
    >
      {children}
    </Menu>
  );
}

function StatusItems({ choices, onChoose }: { choices: OrderChoices; onChoose(target: BulkTarget): void }) {
  const { t } = useTranslation();
  const statuses = choices.statuses.filter(({ isActive }) => isActive);
  return [...new Set(statuses.map(({ group }) => group))].map((group) => (
    <Fragment key={group}>
      <Menu.Label>{t(`orders.groups.${group}`)}</Menu.Label>
      {statuses
        .filter((status) => status.group === group)
        .map((status) => (
          <Menu.Item
            key={status.id}
            onClick={() => onChoose({ change: { statusId: status.id }, name: statusName(status, t) })}
          >
            {statusName(status, t)}
          </Menu.Item>
        ))}
    </Fragment>
  ));
}
