import { Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useTranslation } from '../../i18n/index.ts';
import { FormDialog } from '../../shell/form.tsx';
import { notify } from '../../shell/notify.tsx';
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

export default function ViewDialog({ renamed, onSave, onSaved, onClose }: ViewDialogProps) {
  const { t } = useTranslation();
  const form = useForm({ initialValues: { name: renamed ?? '' }, validate: { name: validators(t).required(200) } });
  const submission = useSubmit(
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
    <FormDialog
      submission={submission}
      title={t(renamed === undefined ? 'orders.viewTitle' : 'orders.renameTitle')}
      action={t('common.save')}
      onClose={onClose}
    >
      {renamed === undefined && <Text size="sm">{t('orders.viewText')}</Text>}
      <TextInput label={t('orders.viewName')} data-autofocus {...form.getInputProps('name')} />
    </FormDialog>
  );
}
