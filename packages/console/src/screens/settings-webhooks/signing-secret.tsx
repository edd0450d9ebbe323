import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CodeBox } from '../../shell/code-box.tsx';

/** The one time a signing secret is seen. */
export function SigningSecret({ secret, text, onDone }: { secret: string; text?: string; onDone(): void }) {
  const { t } = useTranslation();
  return (
    <Stack gap="lg">
      <Text size="sm">{t('webhooks.secretText')}</Text>
      {text && <Text size="sm">{text}</Text>}
      <Box>
        <Text size="sm" fw={600} mb={4}>
          {t('webhooks.secret')}
        </Text>
        <CodeBox text={secret} testId="signing-secret" />
      </Box>
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {t('common.done')}
        </Button>
      </Group>
    </Stack>
  );
}
