import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from '../../i18n/index.ts';
import { notify } from '../../shell/notify.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { FormDialog, useDiscard } from '../../shell/unsaved.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';

interface ViewDialogProps {
  /** The name of the view to rename; without it, a view is created. */
  renamed: string | undefined;
  /** Returns the id of the saved view. */
  onSave(name: string): Promise<string>;
  onSaved(id: string): void;
  onClose(): void;
}

export default function ViewDialog(props: ViewDialogProps) {
  const { t } = useTranslation();
  return (
    <FormDialog
      opened
      onClose={props.onClose}
      title={t(props.renamed === undefined ? 'orders.viewTitle' : 'orders.renameTitle')}
    >
      <ViewForm {...props} />
    </FormDialog>
  );
}

function ViewForm({ renamed, onSave, onSaved, onClose }: ViewDialogProps) {
  const { t } = useTranslation();
  const discard = useDiscard();
  const form = useForm({ initialValues: { name: renamed ?? '' }, validate: { name: validators(t).required(200) } });
  const { onSubmit, isSending, problem } = useSubmit(
    form,
    ({ name }) => onSave(name),
    (id) => {
      notify(t('orders.viewSaved'));
      onClose();
      // Navigates, which would ask about the form before it is saved.
      onSaved(id);
    },
  );
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <ProblemAlert>{problem}</ProblemAlert>
        {renamed === undefined && <Text size="sm">{t('orders.viewText')}</Text>}
        <TextInput label={t('orders.viewName')} data-autofocus {...form.getInputProps('name')} />
        <Group justify="flex-end" gap="sm">
          <Button
            variant="default"
            onClick={() => {
              discard();
              onClose();
            }}
          >
            {t('common.cancel')}
          </Button>
          <Button type="submit" loading={isSending}>
            {t('common.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
