import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CodeBox } from '../../shell/code-box.tsx';

/** The one time a secret is seen, with a line that shows at once whether it works. */
export function KeySecret({ secret, onDone }: { secret: string; onDone(): void }) {
  const { t } = useTranslation();
  const curl = `curl ${window.location.origin}/api/v1/credentials \\\n  -H "Authorization: Bearer ${secret}"`;
  return (
    <Stack gap="lg">
      <Text size="sm">{t('keys.secretText')}</Text>
      <Box>
        <Text size="sm" fw={600} mb={4}>
          {t('keys.secret')}
        </Text>
        <CodeBox text={secret} testId="secret" />
      </Box>
      <Box>
        <Text size="sm" fw={600} mb={4}>
          {t('keys.tryIt')}
        </Text>
        <CodeBox text={curl} testId="curl" />
      </Box>
      <Group justify="flex-end">
        <Button onClick={onDone} data-autofocus>
          {t('common.done')}
        </Button>
      </Group>
    </Stack>
  );
}
