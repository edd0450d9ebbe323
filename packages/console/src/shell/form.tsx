import { Button, Group, Stack, type StackProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { Dialog, type DialogProps } from './dialog.tsx';
import { ProblemAlert } from './problem-alert.tsx';
import { confirmDiscard } from './unsaved.tsx';
import type { Submission } from './use-submit.ts';

interface FormProps {
  submission: Submission;
  /** The text of its button. */
  action: string;
  isDisabled?: boolean;
  /** The button is as wide as the form. */
  isWide?: boolean;
  onCancel?(): void;
  gap?: StackProps['gap'];
  children: ReactNode;
}

/** Fields, the problem if they could not be sent, and the buttons. */
export function Form({ submission, action, isDisabled, isWide, onCancel, gap = 'md', children }: FormProps) {
  const { t } = useTranslation();
  const { onSubmit, isSending, problem, discard } = submission;
  const submit = { type: 'submit', loading: isSending, disabled: isDisabled ?? false, children: action } as const;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap={gap}>
        {children}
        <ProblemAlert>{problem}</ProblemAlert>
        {isWide ? (
          <Button size="md" {...submit} />
        ) : (
          <Group justify="flex-end" gap="sm">
            {onCancel && (
              <Button
                variant="default"
                onClick={() => {
                  discard();
                  onCancel();
                }}
              >
                {t('common.cancel')}
              </Button>
            )}
            <Button {...submit} />
          </Group>
        )}
      </Stack>
    </form>
  );
}

export type FormDialogProps = Omit<DialogProps, 'children'> & Omit<FormProps, 'isDisabled' | 'isWide' | 'onCancel'>;

/** A dialog with a form: closing it asks if something is unsaved. */
export function FormDialog({ submission, action, gap, children, onClose, ...props }: FormDialogProps) {
  const close = async () => (await confirmDiscard([submission])) && onClose();
  return (
    <Dialog {...props} onClose={() => void close()}>
      <Form submission={submission} action={action} onCancel={onClose} {...(gap && { gap })}>
        {children}
      </Form>
    </Dialog>
  );
}
