import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { CodeBox } from './code-box.tsx';
import { FormDialog } from './unsaved.tsx';

interface SecretDialogProps {
  isOpen: boolean;
  /** Title while the form is shown. */
  title: string;
  secret: { title: string; texts: string[]; fields: { label: string; value: string; testId: string }[] } | undefined;
  onClose(): void;
  /** The form that creates the secret. */
  children?: ReactNode;
}

/** A form that creates a secret, then the secret. Closes only with "Done", because the secret is not shown again. */
export function SecretDialog({ isOpen, title, secret, onClose, children }: SecretDialogProps) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery('(max-width: 36em)');
  return (
    <FormDialog
      opened={isOpen}
      onClose={onClose}
      size="lg"
      fullScreen={isPhone}
      title={secret?.title ?? title}
      closeOnClickOutside={!secret}
      closeOnEscape={!secret}
      withCloseButton={!secret}
    >
      {secret ? (
        <Stack gap="lg">
          {secret.texts.map((text) => (
            <Text key={text} size="sm">
              {text}
            </Text>
          ))}
          {secret.fields.map(({ label, value, testId }) => (
            <Box key={testId}>
              <Text size="sm" fw={600} mb={4}>
                {label}
              </Text>
              <CodeBox text={value} testId={testId} />
            </Box>
          ))}
          <Group justify="flex-end">
            <Button onClick={onClose} data-autofocus>
              {t('common.done')}
            </Button>
          </Group>
        </Stack>
      ) : (
        children
      )}
    </FormDialog>
  );
}
