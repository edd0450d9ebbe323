import { useTranslation } from '../../i18n/index.ts';
import { Select, type SelectProps } from '../../shell/select.tsx';
import { options } from './tree.ts';
import { useTree } from './use-tree.ts';

interface CategorySelectProps extends Omit<SelectProps, 'data'> {
  /** Label of the empty option. */
  none: string;
  /** A category to leave out with its subcategories. */
  without?: string | undefined;
}

export function CategorySelect({ none, without, ...props }: CategorySelectProps) {
  const { t } = useTranslation();
  const { tree } = useTree();
  return (
    <Select
      searchable
      nothingFound={t('common.noResults')}
      data={[{ value: '', label: none }, ...options(tree, without)]}
      {...props}
    />
  );
}
