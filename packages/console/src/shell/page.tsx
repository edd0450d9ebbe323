import { Box, Container, Group, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from '../i18n/index.ts';

interface PageProps {
  title: string;
  text?: string;
  action?: ReactNode;
  size?: keyof typeof widths;
  children: ReactNode;
}

const widths = { form: 760, table: 1120, wide: '100%' };

/** Screen layout: title, description and main action. */
export function Page({ title, text, action, size = 'table', children }: PageProps) {
  useTitle(title);
  return (
    <Container size={widths[size]} className="page">
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

export function useTitle(title: string) {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} · ${t('app.name')}`;
  }, [title, t]);
}
