import { Alert } from '@mantine/core';
import type { Shortage } from '@store-sales/contract/console';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/index.ts';
import { TextLink } from '../../shell/link.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';

/** What the order needs, and no warehouse has. */
export function Shortages({ of }: { of: Shortage[] }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const maySee = useMay()('seeCatalog');
  if (!of.length) return null;
  return (
    <Alert variant="default" icon={<IconAlertTriangle size={18} />} title={t('orders.shortage')} role="status">
      {t('orders.shortageText')}
      <ul style={{ margin: '4px 0 0', paddingLeft: '1.2em', overflowWrap: 'anywhere' }}>
        {of.map(({ productId, name, warehouse, quantity }) => (
          <li key={productId + warehouse}>
            {maySee ? (
              <TextLink
                inherit
                underline="always"
                to="/stores/$storeId/catalog/products"
                params={{ storeId }}
                search={{ stockOf: productId }}
              >
                {name}
              </TextLink>
            ) : (
              name
            )}
            {`: ${t('orders.shortageOf', { count: -quantity, warehouse })}`}
          </li>
        ))}
      </ul>
    </Alert>
  );
}
