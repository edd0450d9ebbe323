import { Badge } from '@mantine/core';

export const RecordBadge = ({ children, hint }: { children: string; hint?: string }) => (
  <Badge variant="default" size="sm" radius="sm" c="dimmed" style={{ minWidth: 'max-content' }} title={hint}>
    {children}
  </Badge>
);
