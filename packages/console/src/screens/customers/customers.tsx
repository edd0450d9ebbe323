import { Box, Button, Group, Stack, Text } from '@mantine/core';
import type { Customer } from '@store-sales/contract';
import { IconFileImport, IconPlus, IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { urlOf } from '../../api/client.ts';
import { customerPageQuery } from '../../api/customers.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { ExportButton } from '../../shell/export-button.tsx';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { LinkButton, TextLink } from '../../shell/link.tsx';
import { Page } from '../../shell/page.tsx';
import { PagedList } from '../../shell/paged-list.tsx';
import { SearchBox } from '../../shell/search-box.tsx';
import { Table } from '../../shell/table.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { nameOf } from './name.ts';

const CustomerDialog = lazyDialog(() => import('./customer-dialog.tsx'));
const route = getRouteApi('/signed-in/stores/$storeId/customers');

export function Customers() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const address = route.useSearch();
  const navigate = route.useNavigate();
  const customers = useQuery(customerPageQuery(storeId, address));
  const { cursor, q } = address;
  const search = (q: string) => void navigate({ search: q ? { q } : {}, replace: true });
  const [edited, setEdited] = useState<'new'>();
  const open = useNavigate();
  const may = useMay();
  const exportOf = (decimal: 'point' | 'comma') =>
    urlOf('GET /stores/{storeId}/customers/export', { params: { storeId }, query: { ...(q && { q }), decimal } });
  const actions = (
    <Group gap="sm">
      <ExportButton hint={t('customers.exportHint')} hrefOf={exportOf} />
      {may('changeCustomers') && (
        <>
          <ImportButton storeId={storeId} />
          <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
            {t('customers.add')}
          </Button>
        </>
      )}
    </Group>
  );
  return (
    <Page title={t('nav.customers')} text={t('customers.text')} action={actions}>
      <Stack gap="md">
        <Box role="search" display="flex">
          <SearchBox q={q ?? ''} hint={t('customers.searchHint')} maxLength={254} onChange={search} />
        </Box>
        <PagedList
          query={customers}
          cursor={cursor}
          isFiltered={q !== undefined}
          icon={IconUsers}
          texts={{
            none: t('customers.noneText'),
            emptyTitle: t('customers.emptyTitle'),
            empty: t('customers.emptyText'),
          }}
          onNavigate={(to, state) =>
            void navigate({ search: { ...(q && { q }), ...(to && { cursor: to }) }, state, resetScroll: true })
          }
          onClear={() => search('')}
          onSearch={search}
        >
          {(page) => <CustomerTable customers={page} />}
        </PagedList>
      </Stack>
      {edited && (
        <CustomerDialog
          edited={edited}
          onClose={() => setEdited(undefined)}
          onSaved={({ id: customerId }) =>
            void open({ to: '/stores/$storeId/customers/$customerId', params: { storeId, customerId } })
          }
        />
      )}
    </Page>
  );
}

function ImportButton({ storeId }: { storeId: string }) {
  const { t } = useTranslation();
  return (
    <LinkButton
      variant="default"
      leftSection={<IconFileImport size={18} />}
      to="/stores/$storeId/catalog/import"
      params={{ storeId }}
      search={{ what: 'customers' }}
    >
      {t('customers.import')}
    </LinkButton>
  );
}

function CustomerTable({ customers }: { customers: Customer[] }) {
  const { t } = useTranslation();
  const { dateTime } = useDates();
  const { id: storeId } = useStore();
  const navigate = useNavigate();
  return (
    <>
      <Box className="panel" visibleFrom="md" style={{ overflow: 'hidden' }}>
        <Table aria-label={t('nav.customers')} highlightOnHover layout="fixed">
          <thead>
            <tr>
              <Table.Th>{t('customers.name')}</Table.Th>
              <Table.Th w="19%">{t('customers.phone')}</Table.Th>
              <Table.Th w="24%">{t('customers.email')}</Table.Th>
              <Table.Th w="13%">{t('customers.externalId')}</Table.Th>
              <Table.Th w={190}>{t('customers.since')}</Table.Th>
            </tr>
          </thead>
          <tbody>
            {customers.map((customer) => (
              <tr
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
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{dateTime(customer.createdAt)}</Table.Td>
              </tr>
            ))}
          </tbody>
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
              {t('customers.since')}: {dateTime(customer.createdAt)}
            </Text>
          </Box>
        ))}
      </Box>
    </>
  );
}

/** `isWhole`: the link covers its whole card. */
function CustomerLink({ of, isWhole = false }: { of: Customer; isWhole?: boolean }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  return (
    <TextLink
      fw={500}
      size="sm"
      className={isWhole ? 'whole-link' : ''}
      style={{ overflowWrap: 'anywhere' }}
      onClick={(event) => event.stopPropagation()}
      to="/stores/$storeId/customers/$customerId"
      params={{ storeId, customerId: of.id }}
    >
      {nameOf(of, t)}
    </TextLink>
  );
}
