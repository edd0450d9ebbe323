import { Box, Button, Checkbox, SimpleGrid, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Right } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keysQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { FormDialog } from '../../shell/form.tsx';
import { SecretDialog } from '../../shell/secret-dialog.tsx';
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

/** The form, then the secret. */
export function CreateKey({ storeId, onClose }: { storeId: string; onClose(): void }) {
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
  const [secret, setSecret] = useState<string>();
  const submission = useSubmit(
    form,
    (values: Values) => call('POST /stores/{storeId}/keys', { params: { storeId }, body: values }),
    (created) => {
      queryClient.setQueryData(keysQuery(storeId).queryKey, (keys = []) => [created.key, ...keys]);
      setSecret(created.secret);
    },
  );
  const hasAll = form.values.rights.length === allRights.length;

  if (secret) {
    const curl = `curl ${window.location.origin}/api/v1/credentials \\\n  -H "Authorization: Bearer ${secret}"`;
    return (
      <SecretDialog
        title={t('keys.secretTitle')}
        texts={[t('keys.secretText')]}
        fields={[
          { label: t('keys.secret'), value: secret, testId: 'secret' },
          { label: t('keys.tryIt'), value: curl, testId: 'curl' },
        ]}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      submission={submission}
      title={t('keys.createTitle')}
      size="lg"
      gap="lg"
      action={t('keys.create')}
      onClose={onClose}
    >
      <TextInput
        label={t('keys.name')}
        description={t('keys.nameHint')}
        placeholder={t('keys.namePlaceholder')}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <Box pos="relative">
        <Checkbox.Group label={t('keys.rights')} description={t('keys.rightsHint')} {...form.getInputProps('rights')}>
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
        {...form.getInputProps('life')}
      />
    </FormDialog>
  );
}
