import type { Right } from '@store-sales/contract';
import type { TFunction } from 'i18next';

/** In the order in which they are offered. The compiler sees that none is missing. */
const offered: Record<Right, true> = {
  'orders:read': true,
  'orders:write': true,
  'products:read': true,
  'customers:read': true,
  'references:read': true,
  'references:write': true,
};
export const allRights = Object.keys(offered) as Right[];

const resources = ['orders', 'products', 'customers', 'references'] as const;

/** "Orders: read and change" for each thing a key may touch; one word when it may do all. */
export function inWords(rights: readonly string[], t: TFunction): string[] {
  if (allRights.every((right) => rights.includes(right))) return [t('rights.everything')];
  return resources.flatMap((resource) => {
    const reads = rights.includes(`${resource}:read`);
    const writes = rights.includes(`${resource}:write`);
    if (!reads && !writes) return [];
    return [
      `${t(`rights.${resource}`)}: ${t(reads && writes ? 'rights.readWrite' : reads ? 'rights.read' : 'rights.write')}`,
    ];
  });
}
