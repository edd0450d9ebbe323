import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from '../i18n/index.ts';
import { CodeBox } from './code-box.tsx';
import { Dialog } from './dialog.tsx';

interface SecretDialogProps {
  title: string;
  texts: string[];
  fields: { label: string; value: string; testId: string }[];
  onClose(): void;
}

/** Shows what was created. Closes only with "Done", because it is not shown again. */
export function SecretDialog({ title, texts, fields, onClose }: SecretDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog onClose={onClose} size="lg" title={title} isKeptOpen>
      <Stack gap="lg">
        {texts.map((text) => (
          <Text key={text} size="sm">
            {text}
          </Text>
        ))}
        {fields.map(({ label, value, testId }) => (
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
    </Dialog>
  );
}
