import { Box, Center, Group, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { IconShoppingBag } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { useTitle } from './page.tsx';
import { LanguageSwitch } from './preferences.tsx';

/** Layout of the screens before sign-in. */
export function EntryPage({ title, text, children }: { title: string; text?: string; children: ReactNode }) {
  const { t } = useTranslation();
  useTitle(title);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={420} gap="lg">
        <Group gap="sm" justify="center">
          <ThemeIcon size={36} radius="md">
            <IconShoppingBag size={21} />
          </ThemeIcon>
          <Text fw={600} fz="lg">
            {t('app.name')}
          </Text>
        </Group>
        <Box className="panel" p={{ base: 'lg', sm: 32 }}>
          <Title order={1} fz={22} mb={text ? 4 : 'lg'}>
            {title}
          </Title>
          {text && (
            <Text c="dimmed" mb="lg">
              {text}
            </Text>
          )}
          {children}
        </Box>
        <Center>
          <LanguageSwitch />
        </Center>
      </Stack>
    </Center>
  );
}
