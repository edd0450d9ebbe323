import { Badge, Box, Group, NumberInput, SegmentedControl, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AdjustStock, Movement, WarehouseStock } from '@store-sales/contract/console';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { productQuery, reloadProducts } from '../../api/catalog.ts';
import { call } from '../../api/client.ts';
import { pagesQuery, query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { Form } from '../../shell/form.tsx';
import { LinkButton, TextLink } from '../../shell/link.tsx';
import { FieldsSkeleton, Loaded } from '../../shell/loaded.tsx';
import { notify } from '../../shell/notify.tsx';
import { Select } from '../../shell/select.tsx';
import { ShowMore } from '../../shell/show-more.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { counted, StockCount } from './stock-count.tsx';

const STOCK = 'GET /stores/{storeId}/products/{productId}/stock';
const MOVEMENTS = 'GET /stores/{storeId}/products/{productId}/movements';

/** What each warehouse has of a product, its adjustment, and how it came to that. */
export default function ProductStock({ id, onClose }: { id: string; onClose(): void }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const mayChange = useMay()('changeCatalog');
  const product = useQuery(productQuery(storeId, id));
  const stock = useQuery({ ...query(STOCK, { params: { storeId, productId: id } }), staleTime: 0 });
  return (
    <Dialog
      onClose={onClose}
      place="right"
      title={product.data ? t('stock.title', { name: product.data.name }) : t('catalog.stock')}
    >
      <Loaded query={stock} pending={<FieldsSkeleton />}>
        {(warehouses) =>
          warehouses.length ? (
            <Stack gap="xl">
              <Warehouses of={warehouses} />
              {mayChange && <Adjust productId={id} warehouses={warehouses} />}
              <Movements productId={id} />
              {mayChange && (
                <TextLink size="sm" to="/stores/$storeId/catalog/import" params={{ storeId }}>
                  {t('stock.count')}
                </TextLink>
              )}
            </Stack>
          ) : (
            <Stack align="flex-start">
              <Text size="sm">{t('stock.noWarehouse')}</Text>
              {mayChange && (
                <LinkButton to="/stores/$storeId/references/warehouses" params={{ storeId }}>
                  {t('stock.addWarehouse')}
                </LinkButton>
              )}
            </Stack>
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Warehouses({ of }: { of: WarehouseStock[] }) {
  const { t } = useTranslation();
  const tracked = of.filter(({ quantity }) => quantity !== null);
  const total = tracked.reduce((sum, { isActive, quantity }) => sum + (isActive ? (quantity ?? 0) : 0), 0);
  return (
    <Stack gap="xs">
      <Text fw={600}>{tracked.length ? t('stock.total', { count: counted(total) }) : t('stock.untracked')}</Text>
      <Stack component="ul" gap={6} m={0} p={0} style={{ listStyle: 'none' }}>
        {of.map(({ warehouseId, name, isActive, quantity }) => (
          <Group component="li" key={warehouseId} justify="space-between" wrap="nowrap" gap="md">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }} c={isActive ? 'inherit' : 'dimmed'}>
              {name}
              {!isActive && ` (${t('stock.inactive')})`}
            </Text>
            <StockCount of={quantity} />
          </Group>
        ))}
      </Stack>
      {tracked.some(({ quantity }) => Number(quantity) < 0) && (
        <Text size="sm" c="var(--mantine-color-error)">
          {t('stock.belowZero')}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {t(tracked.length ? 'stock.text' : 'stock.untrackedText')}
      </Text>
    </Stack>
  );
}

const hows = ['change', 'quantity'] as const;

interface Values {
  warehouseId: string;
  how: (typeof hows)[number];
  value: number | string;
}

function Adjust({ productId, warehouses }: { productId: string; warehouses: WarehouseStock[] }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const first = warehouses.find(({ isActive }) => isActive) ?? warehouses[0];
  const form = useForm<Values>({
    initialValues: { warehouseId: first?.warehouseId ?? '', how: 'change', value: '' },
    validate: { value: (value) => (typeof value === 'number' ? null : t('fieldErrors.required')) },
  });
  const { how, value, warehouseId } = form.values;
  const submission = useSubmit(
    form,
    (values) => {
      const body: AdjustStock = { warehouseId: values.warehouseId, [values.how]: values.value };
      return call('POST /stores/{storeId}/products/{productId}/stock', { params: { storeId, productId }, body });
    },
    (stock) => {
      queryClient.setQueryData(query(STOCK, { params: { storeId, productId } }).queryKey, stock);
      void queryClient.invalidateQueries({ queryKey: [{ storeId, productId }, MOVEMENTS] });
      reloadProducts(queryClient, storeId);
      form.setInitialValues({ ...form.getValues(), value: '' });
      form.reset();
      notify(t('stock.saved'));
    },
  );
  const now = warehouses.find((each) => each.warehouseId === warehouseId)?.quantity ?? 0;
  return (
    <Box component="section" aria-label={t('stock.adjust')}>
      <Text fw={600} mb="xs">
        {t('stock.adjust')}
      </Text>
      <Form submission={submission} action={t('stock.save')}>
        {warehouses.length > 1 && (
          <Select
            label={t('stock.warehouse')}
            data={warehouses.map(({ warehouseId: id, name }) => ({ value: id, label: name }))}
            {...form.getInputProps('warehouseId')}
          />
        )}
        <SegmentedControl
          aria-label={t('stock.how')}
          data={hows.map((each) => ({ value: each, label: t(`stock.hows.${each}`) }))}
          {...form.getInputProps('how')}
        />
        <NumberInput
          label={t(`stock.${how}`)}
          description={
            typeof value === 'number'
              ? t('stock.after', { count: counted(how === 'change' ? now + value : value) })
              : t(how === 'change' ? 'stock.changeHint' : 'stock.quantity')
          }
          allowDecimal={false}
          min={-1_000_000_000}
          max={1_000_000_000}
          {...form.getInputProps('value')}
        />
      </Form>
    </Box>
  );
}

function Movements({ productId }: { productId: string }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const movements = useInfiniteQuery({
    ...pagesQuery(MOVEMENTS, { params: { storeId, productId }, query: {} }),
    select: ({ pages }) => pages.flatMap((page) => page.movements),
    staleTime: 0,
  });
  return (
    <Box component="section" aria-label={t('stock.movements')}>
      <Text fw={600} mb="xs">
        {t('stock.movements')}
      </Text>
      <Loaded query={movements} pending={<FieldsSkeleton />}>
        {(all) =>
          all.length ? (
            <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
              {all.map((movement, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a movement has no id, and new ones come at the front only
                <MovementLine key={all.length - index} of={movement} />
              ))}
            </Stack>
          ) : (
            <Text size="sm" c="dimmed">
              {t('stock.noMovements')}
            </Text>
          )
        }
      </Loaded>
      <ShowMore query={movements} />
    </Box>
  );
}

function MovementLine({ of: { at, warehouse, before, after, kind, order, actor } }: { of: Movement }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { dateTime } = useDates();
  const who = actor.kind === 'key' ? t('orders.byKey', { name: actor.name }) : actor.name;
  return (
    <Group component="li" justify="space-between" align="flex-start" wrap="nowrap" gap="md">
      <Box miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm">
          {order ? (
            <TextLink
              inherit
              underline="always"
              to="/stores/$storeId/orders/$orderId"
              params={{ storeId, orderId: order.id }}
            >
              {t('stock.order', { number: order.number })}
            </TextLink>
          ) : (
            t(`stock.kinds.${kind}`)
          )}
          {who && ` · ${who}`}
        </Text>
        <Text size="xs" c="dimmed">
          {dateTime(at)} · {warehouse}
        </Text>
      </Box>
      <Group gap="xs" wrap="nowrap" align="baseline">
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
          <span aria-hidden>
            {counted(before)} → {counted(after)}
          </span>
          <VisuallyHidden>{t('stock.beforeAfter', { before, after })}</VisuallyHidden>
        </Text>
        <Badge variant="default" size="sm" radius="sm" style={{ fontVariantNumeric: 'tabular-nums' }}>
          {after > before && '+'}
          {counted(after - before)}
        </Badge>
      </Group>
    </Group>
  );
}
