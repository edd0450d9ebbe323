import { Box, Container, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';

interface PageProps {
  title: string;
  text?: string;
  action?: ReactNode;
  /** Forms read better narrow, tables want room. */
  size?: 'form' | 'table';
  children: ReactNode;
}

/** The frame of a screen: its name, a sentence about it, and what is done most often. */
export function Page({ title, text, action, size = 'table', children }: PageProps) {
  useTitle(title);
  return (
    <Container size={size === 'form' ? 760 : 1120} px={{ base: 'md', sm: 'xl' }} py={{ base: 'lg', sm: 36 }}>
      <Group justify="space-between" align="flex-start" mb="xl" gap="md">
        <Box maw={640}>
          <Title order={1} fz={26} lh={1.25}>
            {title}
          </Title>
          {text && (
            <Text c="dimmed" mt={4}>
              {text}
            </Text>
          )}
        </Box>
        {action}
      </Group>
      <Stack gap="xl">{children}</Stack>
    </Container>
  );
}

/** The name of the screen in the browser's tab. */
export function useTitle(title: string) {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} · ${t('app.name')}`;
  }, [title, t]);
}
