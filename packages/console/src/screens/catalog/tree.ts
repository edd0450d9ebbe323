import type { Category } from '@store-sales/contract';

export interface Branch extends Category {
  /** Names from the top down to its own. */
  path: string[];
  children: Branch[];
}

/** The categories as a tree, each level in the order of the alphabet. */
export function treeOf(categories: readonly Category[], language: string): Branch[] {
  const { compare } = new Intl.Collator(language, { numeric: true });
  const below = new Map<string | null, Category[]>();
  for (const category of categories) below.set(category.parentId, [...(below.get(category.parentId) ?? []), category]);
  const grow = (parentId: string | null, path: string[]): Branch[] =>
    (below.get(parentId) ?? [])
      .sort((a, b) => compare(a.name, b.name))
      .map((category) => {
        const own = [...path, category.name];
        return { ...category, path: own, children: grow(category.id, own) };
      });
  return grow(null, []);
}

/** Every branch of a tree, parents before their children. */
export const flat = (tree: readonly Branch[]): Branch[] => tree.flatMap((branch) => [branch, ...flat(branch.children)]);

/** Choices for a field: each category by its whole path, without a branch that may not be chosen. */
export const options = (tree: readonly Branch[], without?: string) => {
  const allowed = (branches: readonly Branch[]): Branch[] =>
    branches.filter(({ id }) => id !== without).flatMap((branch) => [branch, ...allowed(branch.children)]);
  return allowed(tree).map(({ id, path }) => ({ value: id, label: path.join(' / ') }));
};
