import { Button } from '@mantine/core';
import { type OrderColumn, orderColumns } from '@store-sales/contract/values';
import { IconColumns3 } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/index.ts';
import { Menu } from '../../shell/menu.tsx';
import { columnName } from './order-table.tsx';

interface ColumnsMenuProps {
  columns: readonly OrderColumn[];
  onChange(columns: OrderColumn[]): void;
}

export function ColumnsMenu({ columns, onChange }: ColumnsMenuProps) {
  const { t } = useTranslation();
  return (
    <Menu
      align="end"
      target={
        <Button variant="default" visibleFrom="md" leftSection={<IconColumns3 size={18} />}>
          {t('orders.columns')}
        </Button>
      }
    >
      {orderColumns.map((column) => (
        <Menu.CheckboxItem
          key={column}
          checked={columns.includes(column)}
          onChange={(isShown) => onChange(isShown ? [...columns, column] : columns.filter((other) => other !== column))}
        >
          {columnName(column, t)}
        </Menu.CheckboxItem>
      ))}
    </Menu>
  );
}
