import { Box, type BoxProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import classes from './table.module.css';

interface TableProps extends ComponentProps<'table'> {
  highlightOnHover?: boolean;
  layout?: 'fixed';
  /** With little space between rows, or between columns. */
  compact?: 'rows' | 'columns';
}

export const Table = ({ highlightOnHover, layout, compact, ...props }: TableProps) => (
  <table
    className={classes.table}
    data-hover={highlightOnHover}
    data-layout={layout}
    data-compact={compact}
    {...props}
  />
);

Table.Th = (props: BoxProps & ComponentProps<'th'>) => <Box component="th" {...props} />;
Table.Td = (props: BoxProps & ComponentProps<'td'>) => <Box component="td" {...props} />;
