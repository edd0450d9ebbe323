import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { FormDialog, useDiscard } from '../../shell/unsaved.tsx';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
}

export function RecordDialog({ title, isOpen, onClose, children }: DialogProps) {
  return (
    <FormDialog opened={isOpen} onClose={onClose} title={title}>
      {children}
    </FormDialog>
  );
}

interface EditDialogProps<Shape> {
  edited: Shape | 'new' | undefined;
  /** Of the dictionary. */
  section: 'payments' | 'delivery' | 'stock';
  onClose(): void;
  /** The form; without a record, it creates one. */
  children(record: Shape | undefined): ReactNode;
}

export function EditDialog<Shape>({ edited, section, onClose, children }: EditDialogProps<Shape>) {
  const { t } = useTranslation();
  const title = t(edited === 'new' ? `references.${section}.createTitle` : `references.${section}.editTitle`);
  return (
    <RecordDialog title={title} isOpen={edited !== undefined} onClose={onClose}>
      {edited && children(edited === 'new' ? undefined : edited)}
    </RecordDialog>
  );
}

interface FormProps {
  submission: { onSubmit(event?: FormEvent<HTMLFormElement>): void; isSending: boolean; problem: string | undefined };
  action: string;
  onCancel(): void;
  children: ReactNode;
}

export function RecordForm({ submission: { onSubmit, isSending, problem }, action, onCancel, children }: FormProps) {
  const { t } = useTranslation();
  const discard = useDiscard();
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <ProblemAlert>{problem}</ProblemAlert>
        {children}
        <Group justify="flex-end" gap="sm">
          <Button
            variant="default"
            onClick={() => {
              discard();
              onCancel();
            }}
          >
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
