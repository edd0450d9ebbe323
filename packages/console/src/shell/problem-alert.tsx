import { Alert } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';

export function ProblemAlert({ children }: { children: string | undefined }) {
  if (!children) return null;
  return (
    <Alert
      color="red"
      variant="outline"
      icon={<IconAlertCircle size={18} />}
      c="var(--mantine-color-error)"
      role="alert"
    >
      {children}
    </Alert>
  );
}
