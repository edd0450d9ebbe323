import type { Right } from '@store-sales/contract';
import type { Translate } from '../../i18n/index.ts';

/** In display order. A record, so that the compiler finds a missing one. */
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

/** For example "Orders: read and write", or "Full access". */
export function describeRights(rights: readonly string[], t: Translate): string[] {
  if (allRights.every((right) => rights.includes(right))) return [t('keys.right.everything')];
  return resources.flatMap((resource) => {
    const reads = rights.includes(`${resource}:read`);
    const writes = rights.includes(`${resource}:write`);
    if (!reads && !writes) return [];
    return [
      `${t(`keys.right.${resource}`)}: ${t(reads && writes ? 'keys.right.readWrite' : reads ? 'keys.right.read' : 'keys.right.write')}`,
    ];
  });
}
