import { rights as offered, type Right } from '@store-sales/contract/values';
import type { Translate } from '../../i18n/index.ts';

export const allRights = Object.keys(offered) as Right[];

const resources = ['orders', 'products', 'customers', 'references', 'stock'] as const;

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
