import { Box, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

interface PanelProps {
  title: string;
  text?: string;
  action?: ReactNode;
  /** A list, whose rows are as wide as the panel. */
  isList?: boolean;
  children: ReactNode;
}

export function Panel({ title, text, action, isList = false, children }: PanelProps) {
  const id = useId();
  return (
    <Box component="section" className="panel" aria-labelledby={id}>
      <Group className="panel-part panel-inset" py={isList ? 10 : 'md'} justify="space-between" gap="sm">
        <Box>
          <Title order={2} id={id} fz={isList ? 'sm' : 'md'}>
            {title}
          </Title>
          {text && (
            <Text c="dimmed" size="sm" mt={2}>
              {text}
            </Text>
          )}
        </Box>
        {action}
      </Group>
      {isList ? (
        <div className="panel-part">{children}</div>
      ) : (
        <Box className="panel-part panel-inset" py="lg">
          {children}
        </Box>
      )}
    </Box>
  );
}
