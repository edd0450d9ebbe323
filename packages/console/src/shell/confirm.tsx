import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { Dialog } from './dialog.tsx';
import { explain } from './explain.ts';
import { ProblemAlert } from './problem-alert.tsx';

interface ConfirmProps<Result> {
  title: string;
  text: ReactNode;
  action: string;
  /** The action cannot be undone. */
  isDangerous?: boolean;
  /** What is asked about is not known yet, or was not found out. */
  isBusy?: boolean;
  isDisabled?: boolean;
  error?: unknown;
  /** Below the text. */
  children?: ReactNode;
  run(): Promise<Result>;
  /** After the dialog was closed. */
  onDone?(result: Result): unknown;
  onClose(): void;
}

/** Asks before something is done. If it fails, the dialog stays open and says why. */
export function Confirm<Result>(props: ConfirmProps<Result>) {
  const {
    title,
    text,
    action,
    isDangerous = true,
    isBusy = false,
    isDisabled = false,
    children,
    run,
    onDone,
    onClose,
  } = props;
  const { t } = useTranslation();
  const { mutate, isPending, error } = useMutation({
    mutationFn: run,
    onSuccess(result) {
      onClose();
      return onDone?.(result);
    },
  });
  const failure = error ?? props.error;
  return (
    <Dialog onClose={onClose} title={title}>
      <Stack>
        <Text size="sm">{text}</Text>
        {children}
        <ProblemAlert>{failure ? explain(failure, t) : undefined}</ProblemAlert>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('common.cancel')}
          </Button>
          <Button
            {...(isDangerous && { color: 'red.8' })}
            loading={isPending || isBusy}
            disabled={isDisabled}
            onClick={() => mutate()}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
