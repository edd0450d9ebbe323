import { Box, Group, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** Like `Panel`, but without padding around the rows. */
export function ListPanel({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Box component="section" className="panel" aria-labelledby={id}>
      <Group className="panel-part" px={{ base: 'md', sm: 20 }} py={10} mih={46} justify="space-between" gap="sm">
        <Title order={2} id={id} fz="sm">
          {title}
        </Title>
        {action}
      </Group>
      <Box className="panel-part">{children}</Box>
    </Box>
  );
}
