import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { OrderDetails } from '@store-sales/contract/console';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/index.ts';
import { FormDialog } from '../../shell/form.tsx';
import { notify } from '../../shell/notify.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { useChangeOrder } from './use-change-order.ts';

const MAX_KEYS = 20;
const KEY = /^[A-Za-z0-9_.-]{1,40}$/;

interface Values {
  entries: { key: string; value: string }[];
}

/** What is sent: changed keys, and `""` for removed ones. */
function changesOf(before: Record<string, string>, { entries }: Values) {
  const after = Object.fromEntries(entries.map(({ key, value }) => [key.trim(), value.trim()]));
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...keys].flatMap((key) => ((before[key] ?? '') === (after[key] ?? '') ? [] : [[key, after[key] ?? '']])),
  );
}

export default function EditMetadata({ details, onClose }: { details: OrderDetails; onClose(): void }) {
  const { t } = useTranslation();
  const { order, etag } = details;
  const change = useChangeOrder(order.id);
  const form = useForm<Values>({
    initialValues: { entries: Object.entries(order.metadata).map(([key, value]) => ({ key, value })) },
    validate: {
      entries: {
        key(key, { entries }) {
          if (!KEY.test(key.trim())) return t('orders.metadataKeyWrong');
          const isTwice = entries.filter((other) => other.key.trim() === key.trim()).length > 1;
          return isTwice ? t('orders.metadataKeyTwice') : null;
        },
        value: (value) => (value.trim() ? null : t('fieldErrors.required')),
      },
    },
  });
  const submission = useSubmit(
    form,
    async (values: Values) => {
      const metadata = changesOf(order.metadata, values);
      if (Object.keys(metadata).length) await change({ metadata }, etag);
    },
    () => {
      notify(t('orders.saved'));
      onClose();
    },
  );
  const { entries } = form.values;
  return (
    <FormDialog submission={submission} title={t('orders.editMetadata')} action={t('common.save')} onClose={onClose}>
      {entries.map((_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity
        <Group key={index} gap="xs" wrap="nowrap" align="flex-start">
          <TextInput
            aria-label={t('orders.metadataKey')}
            placeholder={t('orders.metadataKey')}
            flex={1}
            maxLength={40}
            spellCheck={false}
            {...form.getInputProps(`entries.${index}.key`)}
          />
          <TextInput
            aria-label={t('orders.metadataValue')}
            placeholder={t('orders.metadataValue')}
            flex={2}
            maxLength={500}
            {...form.getInputProps(`entries.${index}.value`)}
          />
          <ActionIcon
            size={36}
            aria-label={t('orders.remove', { name: form.values.entries[index]?.key ?? '' })}
            onClick={() => form.removeListItem('entries', index)}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      ))}
      {entries.length < MAX_KEYS && (
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size={16} />}
            onClick={() => form.insertListItem('entries', { key: '', value: '' })}
          >
            {t('orders.metadataAdd')}
          </Button>
        </Group>
      )}
    </FormDialog>
  );
}
