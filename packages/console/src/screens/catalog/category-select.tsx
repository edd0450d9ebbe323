import { Select, type SelectProps } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { options } from './tree.ts';
import { useTree } from './use-tree.ts';

interface CategorySelectProps extends Omit<SelectProps, 'data'> {
  /** What '' stands for. */
  none: string;
  /** A branch that may not be chosen. */
  without?: string | undefined;
}

/** A category by its whole path, found while one types. */
export function CategorySelect({ none, without, ...props }: CategorySelectProps) {
  const { t } = useTranslation();
  const { tree } = useTree();
  return (
    <Select
      searchable
      nothingFoundMessage={t('orders.noneTitle')}
      allowDeselect={false}
      checkIconPosition="right"
      data={[{ value: '', label: none }, ...options(tree, without)]}
      {...props}
    />
  );
}
