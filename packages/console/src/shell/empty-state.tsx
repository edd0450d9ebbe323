import { Stack, Text, ThemeIcon, Title } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: Icon;
  title: string;
  text: string;
  /** Of the title: 1 if it is the title of the page. */
  level?: 1 | 2;
  children?: ReactNode;
}

export function EmptyState({ icon: Glyph, title, text, level = 2, children }: EmptyStateProps) {
  return (
    <Stack className="panel" align="center" gap="xs" px="lg" py={56} ta="center">
      <ThemeIcon variant="light" size={52} radius="xl" mb="xs">
        <Glyph size={26} stroke={1.6} />
      </ThemeIcon>
      <Title order={level} fz="lg">
        {title}
      </Title>
      {text && (
        <Text c="dimmed" maw={480}>
          {text}
        </Text>
      )}
      {children && (
        <Stack mt="md" align="center" w="100%" maw={560}>
          {children}
        </Stack>
      )}
    </Stack>
  );
}
