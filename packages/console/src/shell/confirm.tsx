import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from '../i18n/index.ts';
import { Dialog } from './dialog.tsx';
import { ProblemAlert } from './problem-alert.tsx';

interface ConfirmProps {
  isOpen: boolean;
  title: string;
  text: string;
  action: string;
  isBusy: boolean;
  problem: string | undefined;
  onConfirm(): void;
  onClose(): void;
}

export function Confirm({ isOpen, title, text, action, isBusy, problem, onConfirm, onClose }: ConfirmProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={isOpen} onClose={onClose} title={title}>
      <Stack>
        <Text size="sm">{text}</Text>
        <ProblemAlert>{problem}</ProblemAlert>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('common.cancel')}
          </Button>
          <Button color="red.8" loading={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
