import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { categoriesQuery } from '../../api/catalog.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useStore } from '../../shell/use-store.ts';
import { flatten, treeOf } from './tree.ts';

export function useTree() {
  const { language } = useTranslation();
  const { id: storeId } = useStore();
  const query = useQuery(categoriesQuery(storeId));
  return useMemo(() => {
    const tree = treeOf(query.data ?? [], language);
    const paths = new Map(flatten(tree).map(({ id, path }) => [id, path.join(' / ')]));
    return { query, tree, pathOf: (id: string | null) => (id && paths.get(id)) || '' };
  }, [query, language]);
}
