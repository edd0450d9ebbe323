import { Button, Group, Modal, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ProblemAlert } from '../../shell/problem-alert.tsx';

interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
}

export function RecordDialog({ title, isOpen, onClose, children }: DialogProps) {
  const { t } = useTranslation();
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('common.close') }}>
      {children}
    </Modal>
  );
}

interface FormProps {
  sending: { onSubmit(event?: FormEvent<HTMLFormElement>): void; isSending: boolean; problem: string | undefined };
  action: string;
  onCancel(): void;
  children: ReactNode;
}

/** The frame of a form in a dialog: what went wrong above, the buttons below. */
export function RecordForm({ sending: { onSubmit, isSending, problem }, action, onCancel, children }: FormProps) {
  const { t } = useTranslation();
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack>
        <ProblemAlert>{problem}</ProblemAlert>
        {children}
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
