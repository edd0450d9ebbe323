import { Badge } from '@mantine/core';

export const RecordBadge = ({ children, hint }: { children: string; hint?: string }) => (
  <Badge
    variant="default"
    size="sm"
    radius="sm"
    tt="none"
    fw={500}
    c="dimmed"
    style={{ minWidth: 'max-content' }}
    title={hint}
  >
    {children}
  </Badge>
);
