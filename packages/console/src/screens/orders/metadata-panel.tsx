import { Button, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { OrderDetails } from '@store-sales/contract/console';
import { useTranslation } from '../../i18n/index.ts';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { TextLink } from '../../shell/link.tsx';
import { Panel } from '../../shell/panel.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';

const EditMetadata = lazyDialog(() => import('./edit-metadata.tsx'));

/** Own data of integrations; a value leads to the orders that have it. */
export function MetadataPanel({ details }: { details: OrderDetails }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const mayEdit = useMay()('changeOrders');
  const [isEditing, { open, close }] = useDisclosure();
  const entries = Object.entries(details.order.metadata);
  return (
    <Panel
      title={t('orders.metadata')}
      action={
        mayEdit && (
          <Button variant="default" size="xs" aria-label={t('orders.editMetadata')} onClick={open}>
            {t('common.edit')}
          </Button>
        )
      }
    >
      {entries.length ? (
        <Stack gap={6} component="dl" m={0}>
          {entries.map(([key, value]) => (
            <div key={key} style={{ overflowWrap: 'anywhere' }}>
              <Text component="dt" size="xs" c="dimmed" className="code-text">
                {key}
              </Text>
              <Text component="dd" m={0} size="sm">
                <TextLink
                  inherit
                  to="/stores/$storeId/orders"
                  params={{ storeId }}
                  search={{ metadata: `${key}=${value}` }}
                  title={t('orders.metadataFind')}
                >
                  {value}
                </TextLink>
              </Text>
            </div>
          ))}
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {t('orders.noMetadata')}
        </Text>
      )}
      {isEditing && <EditMetadata details={details} onClose={close} />}
    </Panel>
  );
}
