import { ActionIcon, Box, Group, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/index.ts';
import { useMoney } from '../../shell/money.ts';
import { MoneyInput } from '../../shell/money-input.tsx';
import { type DraftForm, draftTotals } from './new-order-draft.ts';
import { ProductSearch } from './product-search.tsx';

/** Selecting a product again adds one to its quantity. */
export function NewItems({ form }: { form: DraftForm }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const { lineTotals } = draftTotals(form.values, { add() {} });
  return (
    <Stack gap="lg">
      {form.values.items.map((item, index) => (
        <Box
          key={item.id ?? item.productId}
          component="fieldset"
          p={0}
          m={0}
          style={{ border: 0 }}
          aria-label={item.name}
        >
          <Group justify="space-between" wrap="nowrap" align="flex-start" mb={6}>
            <Box miw={0}>
              <Text size="sm" fw={500}>
                {item.name}
              </Text>
              {item.sku && (
                <Text size="xs" c="dimmed">
                  {item.sku}
                </Text>
              )}
              {form.errors[`items.${index}.productId`] && (
                <Text size="xs" c="var(--mantine-color-error)" role="alert">
                  {form.errors[`items.${index}.productId`]}
                </Text>
              )}
            </Box>
            <Group gap="xs" wrap="nowrap">
              <Text size="sm" fw={500} style={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}>
                {money(lineTotals[index] ?? 0)}
              </Text>
              <ActionIcon
                aria-label={t('orders.remove', { name: item.name })}
                onClick={() => form.removeListItem('items', index)}
              >
                <IconTrash size={17} />
              </ActionIcon>
            </Group>
          </Group>
          <SimpleGrid cols={3} spacing="sm">
            <NumberInput
              label={t('orders.quantity')}
              min={1}
              max={1_000_000}
              allowDecimal={false}
              allowNegative={false}
              clampBehavior="strict"
              {...form.getInputProps(`items.${index}.quantity`)}
            />
            <MoneyInput label={t('orders.price')} {...form.getInputProps(`items.${index}.unitPrice`)} />
            <MoneyInput label={t('orders.discount')} {...form.getInputProps(`items.${index}.discount`)} />
          </SimpleGrid>
        </Box>
      ))}
      <ProductSearch
        error={form.errors.items}
        onChoose={({ id, name, sku, price }) => {
          form.clearFieldError('items');
          const index = form.values.items.findIndex(({ productId }) => productId === id);
          const known = form.values.items[index];
          if (known) form.setFieldValue(`items.${index}.quantity`, Number(known.quantity || 0) + 1);
          else
            form.insertListItem('items', {
              productId: id,
              name,
              sku,
              quantity: 1,
              unitPrice: price / 100,
              discount: '',
            });
        }}
      />
    </Stack>
  );
}
