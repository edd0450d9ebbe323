import { Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { EventType } from '@store-sales/contract';
import type { CreateEndpoint } from '@store-sales/contract/console';
import { ApiError } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { allEvents, eventName } from './words.ts';

interface EndpointFormProps<Result> {
  initial?: { url: string; events: EventType[] };
  action: string;
  /** `before`: the values that the form started with. */
  send(values: CreateEndpoint, before: CreateEndpoint): Promise<Result>;
  onDone(result: Result): void;
  onCancel(): void;
}

export function EndpointForm<Result>({ initial, action, send, onDone, onCancel }: EndpointFormProps<Result>) {
  const { t } = useTranslation();
  const form = useForm<CreateEndpoint>({
    initialValues: initial ?? { url: '', events: allEvents },
    validate: {
      url: (url) => (URL.canParse(url.trim()) && /^https?:/i.test(url.trim()) ? null : t('webhooks.urlInvalid')),
      events: (events) => (events.length ? null : t('webhooks.eventsRequired')),
    },
  });
  const { onSubmit, isSending, problem } = useSubmit(
    form,
    async (values: CreateEndpoint) => {
      try {
        return await send(values, form.getInitialValues());
      } catch (error) {
        // Only the server can resolve the host.
        if (error instanceof ApiError && error.fieldErrors.some(({ pointer }) => pointer === '/url')) {
          form.setFieldError('url', t('webhooks.urlRefused'));
          throw new ApiError(error.code, error.status);
        }
        throw error;
      }
    },
    onDone,
  );

  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="lg">
        <ProblemAlert>{problem}</ProblemAlert>
        <TextInput
          label={t('webhooks.url')}
          description={t('webhooks.urlHint')}
          placeholder="https://example.com/hooks"
          type="url"
          data-autofocus
          {...form.getInputProps('url')}
        />
        <Checkbox.Group
          label={t('webhooks.events')}
          description={t('webhooks.eventsHint')}
          {...form.getInputProps('events')}
        >
          <Stack gap="sm" mt="sm" mb={4}>
            {allEvents.map((event) => (
              <Checkbox key={event} value={event} label={eventName(event, t)} description={<code>{event}</code>} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isSending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
