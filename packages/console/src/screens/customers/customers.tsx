import { Anchor, Box, Button, Stack, Table, Text } from '@mantine/core';
import type { Customer } from '@store-sales/contract';
import { IconFileImport, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { customerPageQuery } from '../../api/customers.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { ErrorState } from '../../shell/error-state.tsx';
import { Page } from '../../shell/page.tsx';
import { Pages } from '../../shell/pages.tsx';
import { SearchBox } from '../../shell/search-box.tsx';
import { useStore } from '../../shell/use-store.ts';
import { useOrderFormats } from '../orders/formats.ts';
import { OrderTableSkeleton } from '../orders/order-table.tsx';

const route = getRouteApi('/signed-in/stores/$storeId/customers');

/** All customers, page by page, newest first. */
export function Customers() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const address = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, isPlaceholderData, refetch } = useQuery(customerPageQuery(storeId, address));
  const { cursor, q } = address;
  const isFiltered = q !== undefined || cursor !== undefined;
  const look = (q: string) => void navigate({ search: q ? { q } : {}, replace: true });
  return (
    <Page title={t('customers.title')} text={t('customers.text')} action={<ImportButton storeId={storeId} />}>
      <Stack gap="md">
        <Box role="search" display="flex">
          <SearchBox q={q ?? ''} hint={t('customers.searchHint')} maxLength={254} onChange={look} />
        </Box>
        {error && !isPlaceholderData ? (
          <ErrorState error={error} onRetry={() => (isFiltered ? look('') : void refetch())} />
        ) : !data ? (
          <OrderTableSkeleton />
        ) : data.data.length ? (
          <Box opacity={isPlaceholderData ? 0.6 : 1} aria-busy={isPlaceholderData}>
            <CustomerTable customers={data.data} />
            <Pages
              cursor={cursor}
              next={isPlaceholderData ? null : data.page.nextCursor}
              onGo={(to, state) =>
                void navigate({ search: { ...(q && { q }), ...(to && { cursor: to }) }, state, resetScroll: true })
              }
            />
          </Box>
        ) : isFiltered ? (
          <EmptyState icon={IconUsers} title={t('orders.noneTitle')} text={t('customers.noneText')}>
            <Button variant="default" onClick={() => look('')}>
              {t('orders.clear')}
            </Button>
          </EmptyState>
        ) : (
          <EmptyState icon={IconUsers} title={t('customers.emptyTitle')} text={t('customers.emptyText')} />
        )}
      </Stack>
    </Page>
  );
}

function ImportButton({ storeId }: { storeId: string }) {
  const { t } = useTranslation();
  return (
    <Button
      variant="default"
      leftSection={<IconFileImport size={18} />}
      renderRoot={(props) => (
        <Link {...props} to="/stores/$storeId/catalog/import" params={{ storeId }} search={{ what: 'customers' }} />
      )}
    >
      {t('customers.import')}
    </Button>
  );
}

function CustomerTable({ customers }: { customers: Customer[] }) {
  const { t } = useTranslation();
  const { moment } = useOrderFormats();
  const { id: storeId } = useStore();
  const navigate = useNavigate();
  return (
    <>
      <Box className="panel" visibleFrom="md" style={{ overflow: 'hidden' }}>
        <Table aria-label={t('customers.title')} highlightOnHover layout="fixed">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('customers.name')}</Table.Th>
              <Table.Th w="19%">{t('customers.phone')}</Table.Th>
              <Table.Th w="24%">{t('customers.email')}</Table.Th>
              <Table.Th w="13%">{t('customers.externalId')}</Table.Th>
              <Table.Th w={190}>{t('customers.since')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {customers.map((customer) => (
              <Table.Tr
                key={customer.id}
                style={{ cursor: 'pointer' }}
                onClick={() =>
                  navigate({
                    to: '/stores/$storeId/customers/$customerId',
                    params: { storeId, customerId: customer.id },
                  })
                }
              >
                <Table.Td>
                  <CustomerLink of={customer} />
                </Table.Td>
                {[customer.phone, customer.email, customer.externalId].map((text, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are
                  <Table.Td key={column}>
                    <Text size="sm" truncate title={text}>
                      {text}
                    </Text>
                  </Table.Td>
                ))}
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{moment(customer.createdAt)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      <Box className="panel" hiddenFrom="md">
        {customers.map((customer) => (
          <Box key={customer.id} className="panel-part" component="article" p="md" pos="relative">
            <CustomerLink of={customer} isWhole />
            <Text size="sm" truncate>
              {[customer.phone, customer.email].filter(Boolean).join(' · ')}
            </Text>
            <Text size="sm" c="dimmed">
              {t('customers.since')}: {moment(customer.createdAt)}
            </Text>
          </Box>
        ))}
      </Box>
    </>
  );
}

/** `isWhole`: the link covers the card it stands in. */
function CustomerLink({ of, isWhole = false }: { of: Customer; isWhole?: boolean }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  return (
    <Anchor
      fw={500}
      size="sm"
      className={isWhole ? 'whole-link' : ''}
      style={{ overflowWrap: 'anywhere' }}
      onClick={(event) => event.stopPropagation()}
      renderRoot={(props) => (
        <Link {...props} to="/stores/$storeId/customers/$customerId" params={{ storeId, customerId: of.id }} />
      )}
    >
      {of.name || t('customers.nameless')}
    </Anchor>
  );
}
