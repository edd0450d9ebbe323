import { Badge, Tooltip } from '@mantine/core';

/** A quiet word about a record. */
export function Mark({ children, hint }: { children: string; hint?: string }) {
  const badge = (
    <Badge variant="default" size="sm" radius="sm" tt="none" fw={500} c="dimmed" style={{ minWidth: 'max-content' }}>
      {children}
    </Badge>
  );
  return hint ? <Tooltip label={hint}>{badge}</Tooltip> : badge;
}
