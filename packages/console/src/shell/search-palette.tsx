import { Box, Group, Loader, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { FoundOrder, SearchResults } from '@store-sales/contract/console';
import {
  type Icon,
  IconArrowRight,
  IconPackage,
  IconSearch,
  IconShoppingCart,
  IconUserCircle,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { query } from '../api/query.ts';
import { useTranslation } from '../i18n/index.ts';
import { Dialog } from './dialog.tsx';
import { explain } from './explain.ts';
import classes from './search-palette.module.css';
import { statusName } from './system-names.ts';
import { useCurrentStore } from './use-current-store.ts';
import { useMay, useMayOpen } from './use-may.ts';

interface Entry {
  id: string;
  icon: Icon;
  text: string;
  details?: ReactNode;
  target: NavigateOptions;
}

/** Finds orders, products and customers of the store, and pages of the console. */
export default function SearchPalette({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Dialog onClose={onClose} size="lg" place="top" title={t('search.title')}>
      <Search onClose={onClose} />
    </Dialog>
  );
}

function Search({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const listId = useId();
  const storeId = useCurrentStore()?.id;
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 200);
  const maySearch = useMay()('search');
  const isSearching = storeId !== undefined && q !== '' && maySearch;
  const { data, error, isFetching, isPlaceholderData } = useQuery({
    ...query('GET /stores/{storeId}/search', { params: { storeId: storeId ?? '' }, query: { q } }),
    placeholderData: keepPreviousData,
    enabled: isSearching,
  });
  const records = useRecords(storeId ?? '', isSearching ? data : undefined);
  const pages = usePages(storeId, text);
  // Records of an earlier text are shown, but cannot be opened.
  const isOutdated = text.trim() !== q || isPlaceholderData;
  const groups = [
    ...records.map((group) => ({ ...group, isOutdated })),
    { label: t('search.pages'), entries: pages, isOutdated: false },
  ].filter(({ entries }) => entries.length);
  const entries = groups.filter(({ isOutdated }) => !isOutdated).flatMap(({ entries }) => entries);
  // The first of what is shown now, until the arrow keys choose another.
  const shown = entries.map(({ id }) => id).join(' ');
  const [chosen, setChosen] = useState({ shown: '', index: 0 });
  const index = chosen.shown === shown ? chosen.index : 0;
  const active = entries[index];
  const optionId = (entry: Entry) => `${listId}-${entry.id}`;
  const activeId = active && optionId(active);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const open = ({ target }: Entry) => {
    onClose();
    void navigate(target);
  };
  const move = (by: number) => setChosen({ shown, index: (index + by + entries.length) % entries.length });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || !active || !['ArrowDown', 'ArrowUp', 'Enter'].includes(event.key)) return;
    event.preventDefault();
    if (event.key === 'Enter') open(active);
    else move(event.key === 'ArrowDown' ? 1 : -1);
  };
  const isCurrent = text.trim() === q && !isFetching;
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={t('search.title')}
        aria-expanded={groups.length > 0}
        aria-controls={groups.length ? listId : undefined}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder={t(maySearch ? 'search.hint' : 'search.pages')}
        leftSection={<IconSearch size={17} />}
        rightSection={!isCurrent && <Loader size={16} />}
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {groups.length > 0 && (
        <div role="listbox" id={listId} aria-label={t('search.title')}>
          {groups.map(({ label, entries, isOutdated }) => (
            <Box key={label} role="group" aria-label={label} mt="sm">
              <Text size="xs" fw={600} c="dimmed" px="xs" pb={4} aria-hidden>
                {label}
              </Text>
              {entries.map((entry) => (
                <Option
                  key={entry.id}
                  id={optionId(entry)}
                  entry={entry}
                  isActive={entry === active}
                  isDisabled={isOutdated}
                  onOpen={open}
                />
              ))}
            </Box>
          ))}
        </div>
      )}
      <Text size="sm" c={error ? 'red' : 'dimmed'} role="status" px="xs" mt={active && !error ? 0 : 'sm'}>
        {error ? explain(error, t) : !active && isCurrent && t('search.none', { q })}
      </Text>
    </>
  );
}

interface OptionProps {
  id: string;
  entry: Entry;
  isActive: boolean;
  isDisabled: boolean;
  onOpen(entry: Entry): void;
}

/** Chosen in the field, which keeps the focus. */
function Option({ id, entry, isActive, isDisabled, onOpen }: OptionProps) {
  const { icon: Glyph, text, details } = entry;
  return (
    <UnstyledButton
      component="div"
      role="option"
      id={id}
      aria-selected={isActive}
      aria-disabled={isDisabled || undefined}
      tabIndex={-1}
      className={classes.option}
      onClick={isDisabled ? undefined : () => onOpen(entry)}
    >
      <Group gap="sm" wrap="nowrap">
        <Glyph size={18} stroke={1.7} style={{ flex: 'none' }} aria-hidden />
        <Text size="sm" truncate flex={1}>
          {text}
        </Text>
        {details && (
          <Text size="sm" c="dimmed" truncate maw="55%">
            {details}
          </Text>
        )}
      </Group>
    </UnstyledButton>
  );
}

function useRecords(storeId: string, found: SearchResults | undefined): { label: string; entries: Entry[] }[] {
  const { t, language } = useTranslation();
  if (!found) return [];
  const money = ({ totalAmount, currency }: FoundOrder) =>
    new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
      totalAmount / 100,
    );
  const listed = (...texts: string[]) => texts.filter(Boolean).join(' · ');
  return [
    {
      label: t('nav.orders'),
      entries: found.orders.map((order) => ({
        id: order.id,
        icon: IconShoppingCart,
        text: listed(`#${order.number}`, order.customer),
        details: listed(statusName(order.status, t), money(order)),
        target: { to: '/stores/$storeId/orders/$orderId', params: { storeId, orderId: order.id } },
      })),
    },
    {
      label: t('catalog.products'),
      entries: found.products.map(({ id, name, sku }) => ({
        id,
        icon: IconPackage,
        text: name,
        details: sku,
        target: { to: '/stores/$storeId/catalog/products', params: { storeId }, search: { product: id } },
      })),
    },
    {
      label: t('nav.customers'),
      entries: found.customers.map(({ id, name, phone, email }) => ({
        id,
        icon: IconUserCircle,
        text: name || phone || email || t('customers.nameless'),
        details: phone || email,
        target: { to: '/stores/$storeId/customers/$customerId', params: { storeId, customerId: id } },
      })),
    },
  ];
}

/** The pages whose name has every word of the text. */
function usePages(storeId: string | undefined, text: string): Entry[] {
  const { t } = useTranslation();
  const mayOpen = useMayOpen();
  const [settings, catalog] = [t('nav.references'), t('nav.catalog')];
  const ofStore: [string, NavigateOptions['to'], string?][] = [
    [t('nav.home'), '/stores/$storeId'],
    [t('nav.orders'), '/stores/$storeId/orders'],
    [t('orders.create'), '/stores/$storeId/orders/new'],
    [t('orders.board'), '/stores/$storeId/orders/board', t('nav.orders')],
    [t('catalog.products'), '/stores/$storeId/catalog/products', catalog],
    [t('catalog.categories'), '/stores/$storeId/catalog/categories', catalog],
    [t('catalog.import'), '/stores/$storeId/catalog/import', catalog],
    [t('nav.customers'), '/stores/$storeId/customers'],
    [t('references.orderStatuses'), '/stores/$storeId/references/order-statuses', settings],
    [t('references.paymentStatuses'), '/stores/$storeId/references/payment-statuses', settings],
    [t('references.paymentTypes'), '/stores/$storeId/references/payment-types', settings],
    [t('references.deliveryTypes'), '/stores/$storeId/references/delivery-types', settings],
    [t('references.warehouses'), '/stores/$storeId/references/warehouses', settings],
    [t('nav.shop'), '/stores/$storeId/settings/shop', t('nav.settings')],
    [t('nav.team'), '/stores/$storeId/settings/team', t('nav.settings')],
    [t('nav.apiKeys'), '/stores/$storeId/settings/api-keys', t('nav.settings')],
    [t('nav.webhooks'), '/stores/$storeId/settings/webhooks', t('nav.settings')],
    [t('nav.history'), '/stores/$storeId/history', t('nav.settings')],
    [t('nav.store'), '/stores/$storeId/settings/store', t('nav.settings')],
  ];
  const pages: typeof ofStore = [...(storeId ? ofStore : []), [t('nav.account'), '/account', t('nav.settings')]];
  const words = text.toLowerCase().split(/\s+/);
  return pages.flatMap(([name, to, section]) => {
    const label = `${name} ${section ?? ''}`.toLowerCase();
    if (!mayOpen(to) || !words.every((word) => label.includes(word))) return [];
    // Every page but the last takes the same parameter.
    const target = { to, params: { storeId } } as NavigateOptions;
    return [{ id: `${to}`, icon: IconArrowRight, text: name, ...(section && { details: section }), target }];
  });
}
