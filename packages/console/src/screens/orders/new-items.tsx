import { ActionIcon, Box, Group, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useOrderFormats } from './formats.ts';
import { type DraftForm, draftTotals } from './new-order-draft.ts';
import { ProductSearch } from './product-search.tsx';
import { useMoneyField } from './use-money-field.ts';

/** The lines of a new order; a product that is chosen again is one more of it. */
export function NewItems({ form }: { form: DraftForm }) {
  const { t } = useTranslation();
  const { money } = useOrderFormats();
  const moneyField = useMoneyField();
  const { lineTotals } = draftTotals(form.values, { add() {} });
  return (
    <Stack gap="lg">
      {form.values.items.map((item, index) => (
        <Box key={item.productId} component="fieldset" p={0} m={0} style={{ border: 0 }} aria-label={item.name}>
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
                variant="subtle"
                color="gray"
                c="dimmed"
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
            <NumberInput
              {...moneyField}
              label={t('orders.price')}
              {...form.getInputProps(`items.${index}.unitPrice`)}
            />
            <NumberInput
              {...moneyField}
              label={t('orders.discount')}
              {...form.getInputProps(`items.${index}.discount`)}
            />
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
