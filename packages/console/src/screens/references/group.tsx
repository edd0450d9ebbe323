import { Box, Title, Group as Wide } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A titled list: as a panel, but its rows reach the edges. */
export function Group({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <Box component="section" className="panel" aria-labelledby={id}>
      <Wide className="panel-part" px={{ base: 'md', sm: 20 }} py={10} mih={46} justify="space-between" gap="sm">
        <Title order={2} id={id} fz="sm">
          {title}
        </Title>
        {action}
      </Wide>
      <Box className="panel-part">{children}</Box>
    </Box>
  );
}
