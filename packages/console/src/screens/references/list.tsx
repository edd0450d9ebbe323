import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './list.module.css';

export const ListHead = ({ text, action }: { text: string; action?: ReactNode }) => (
  <Group justify="space-between" align="center" gap="sm">
    <Text c="dimmed" maw={620} flex="1 1 280px">
      {text}
    </Text>
    {action}
  </Group>
);

export const Rows = ({ label, children }: { label?: string; children: ReactNode }) => (
  <ul className={classes.list} aria-label={label}>
    {children}
  </ul>
);

interface RowProps {
  name: string;
  /** Before the name. */
  mark?: ReactNode;
  /** Below the name. */
  note?: ReactNode;
  badges?: ReactNode;
  isOff?: boolean;
  /** Actions. */
  children?: ReactNode;
}

export const Row = ({ name, mark, note, badges, isOff = false, children }: RowProps) => (
  <li className={classes.row} aria-label={name}>
    {mark}
    <Box flex={1} miw={0}>
      <Group gap={8}>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }} {...(isOff && { c: 'dimmed' })}>
          {name}
        </Text>
        {badges}
      </Group>
      {note && (
        <Text size="sm" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
          {note}
        </Text>
      )}
    </Box>
    {children && (
      <Group gap={4} wrap="nowrap" style={{ flex: 'none' }}>
        {children}
      </Group>
    )}
  </li>
);

export const Dot = ({ color }: { color: string }) => (
  <span className={classes.dot} style={{ backgroundColor: color }} aria-hidden />
);

export const Code = ({ children }: { children: string }) => (
  <Text span className="code-text" c="dimmed">
    {children}
  </Text>
);
