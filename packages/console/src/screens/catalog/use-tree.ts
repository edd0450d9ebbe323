import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { categoriesQuery } from '../../api/catalog.ts';
import { useStore } from '../../shell/use-store.ts';
import { flat, treeOf } from './tree.ts';

/** The categories of the store as a tree, and the whole name of each. */
export function useTree() {
  const { i18n } = useTranslation();
  const { id: storeId } = useStore();
  const query = useQuery(categoriesQuery(storeId));
  return useMemo(() => {
    const tree = treeOf(query.data ?? [], i18n.language);
    const paths = new Map(flat(tree).map(({ id, path }) => [id, path.join(' / ')]));
    return { query, tree, pathOf: (id: string | null) => (id && paths.get(id)) || '' };
  }, [query, i18n.language]);
}
