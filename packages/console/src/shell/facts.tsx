import { SimpleGrid, type SimpleGridProps, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export type Fact = [name: string, value: ReactNode];

/** Names and values; those without a value are left out. */
export const Facts = ({ of, cols }: { of: Fact[]; cols: NonNullable<SimpleGridProps['cols']> }) => (
  <SimpleGrid component="dl" cols={cols} m={0} spacing="md">
    {of
      .filter(([, value]) => value)
      .map(([name, value]) => (
        <div key={name}>
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
            {value}
          </Text>
        </div>
      ))}
  </SimpleGrid>
);
