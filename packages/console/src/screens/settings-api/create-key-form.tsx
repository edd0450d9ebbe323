import { Box, Button, Checkbox, Group, SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Right } from '@store-sales/contract';
import type { CreatedKey } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { createKey, keysQuery } from '../../api/account.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { Select } from '../../shell/select.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { allRights } from './rights.ts';

/** Key lifetimes in days. */
const lifetimes = { '30d': 30, '90d': 90, '180d': 180, '1y': 365, '2y': 730, '5y': 1825 } as const;
type Lifetime = keyof typeof lifetimes;

interface Values {
  name: string;
  rights: Right[];
  life: Lifetime;
}

interface CreateKeyFormProps {
  storeId: string;
  onCreated(created: CreatedKey): void;
  onCancel(): void;
}

export function CreateKeyForm({ storeId, onCreated, onCancel }: CreateKeyFormProps) {
  const { t } = useTranslation();
  const { date } = useDates();
  const queryClient = useQueryClient();
  const form = useForm<Values>({
    initialValues: { name: '', rights: [], life: '1y' },
    validate: {
      name: validators(t).required(200),
      rights: (rights) => (rights.length ? null : t('keys.rightsRequired')),
    },
  });
  const { onSubmit, isSending, problem } = useSubmit(
    form,
    (values: Values) => createKey(storeId, values),
    (created) => {
      queryClient.setQueryData(keysQuery(storeId).queryKey, (keys = []) => [created.key, ...keys]);
      onCreated(created);
    },
  );
  const hasAll = form.values.rights.length === allRights.length;

  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="lg">
        <ProblemAlert>{problem}</ProblemAlert>
        <TextInput
          label={t('keys.name')}
          description={t('keys.nameHint')}
          placeholder={t('keys.namePlaceholder')}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Box pos="relative">
          <Checkbox.Group
            label={t('keys.rightsLabel')}
            description={t('keys.rightsHint')}
            {...form.getInputProps('rights')}
          >
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" mt="sm" mb={4}>
              {allRights.map((right) => (
                <Checkbox
                  key={right}
                  value={right}
                  label={t(`keys.right.${right}`)}
                  description={t(`keys.right.${right}Hint`)}
                />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
          <Button
            variant="subtle"
            size="compact-sm"
            pos="absolute"
            top={0}
            right={0}
            onClick={() => form.setFieldValue('rights', hasAll ? [] : allRights)}
          >
            {hasAll ? t('keys.clearAll') : t('keys.selectAll')}
          </Button>
        </Box>
        <Select
          label={t('keys.life')}
          description={t('keys.lifeHint', { date: date(Date.now() + lifetimes[form.values.life] * 86_400_000) })}
          data={(Object.keys(lifetimes) as Lifetime[]).map((value) => ({ value, label: t(`keys.life${value}`) }))}
          allowDeselect={false}
          {...form.getInputProps('life')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isSending}>
            {t('keys.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
