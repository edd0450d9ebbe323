import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { CreateEndpoint } from '@store-sales/contract/console';
import { ApiError } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FormDialog } from '../../shell/form.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { allEvents, eventName } from './words.ts';

interface EndpointFormProps<Result> {
  initial?: CreateEndpoint;
  title: string;
  action: string;
  /** `before`: the values that the form started with. */
  send(values: CreateEndpoint, before: CreateEndpoint): Promise<Result>;
  onDone(result: Result): void;
  onClose(): void;
}

export function EndpointForm<Result>(props: EndpointFormProps<Result>) {
  const { initial, title, action, send, onDone, onClose } = props;
  const { t } = useTranslation();
  const form = useForm<CreateEndpoint>({
    initialValues: initial ?? { url: '', events: allEvents },
    validate: {
      url: (url) => (URL.canParse(url.trim()) && /^https?:/i.test(url.trim()) ? null : t('webhooks.urlInvalid')),
      events: (events) => (events.length ? null : t('webhooks.eventsRequired')),
    },
  });
  const submission = useSubmit(
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
    <FormDialog submission={submission} title={title} size="lg" gap="lg" action={action} onClose={onClose}>
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
    </FormDialog>
  );
}
