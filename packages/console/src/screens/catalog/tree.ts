import type { Category } from '@store-sales/contract';

export interface CategoryNode extends Category {
  /** Names from the root to this category. */
  path: string[];
  children: CategoryNode[];
}

/** Each level is sorted by name. */
export function treeOf(categories: readonly Category[], language: string): CategoryNode[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const childrenOf = new Map<string | null, Category[]>();
  for (const category of categories)
    childrenOf.set(category.parentId, [...(childrenOf.get(category.parentId) ?? []), category]);
  const build = (parentId: string | null, path: string[]): CategoryNode[] =>
    (childrenOf.get(parentId) ?? [])
      .sort((a, b) => compare(a.name, b.name))
      .map((category) => {
        const own = [...path, category.name];
        return { ...category, path: own, children: build(category.id, own) };
      });
  return build(null, []);
}

/** All nodes, parents before children. */
export const flatten = (tree: readonly CategoryNode[]): CategoryNode[] =>
  tree.flatMap((node) => [node, ...flatten(node.children)]);

/** Select options by full path, without one category and its subcategories. */
export const options = (tree: readonly CategoryNode[], without?: string) => {
  const allowed = (nodes: readonly CategoryNode[]): CategoryNode[] =>
    nodes.filter(({ id }) => id !== without).flatMap((node) => [node, ...allowed(node.children)]);
  return allowed(tree).map(({ id, path }) => ({ value: id, label: path.join(' / ') }));
};
