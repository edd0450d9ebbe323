import { Box, Group } from '@mantine/core';
import { CopyButton } from './copy-button.tsx';

/** A secret, id or command with a copy button. */
export function CodeBox({ text, label, testId }: { text: string; label?: string; testId?: string }) {
  return (
    <Group className="code-box" wrap="nowrap" align="flex-start" justify="space-between" gap="xs">
      <Box component="pre" className="code-text" data-testid={testId} pt={2}>
        {text}
      </Box>
      <CopyButton text={text} {...(label && { label })} />
    </Group>
  );
}
