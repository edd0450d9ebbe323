import type { VersionedDeliveryType } from '@store-sales/contract/console';
import { IconTruckDelivery } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { deliveryTypesQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useStore } from '../../shell/use-store.ts';
import { ActiveSwitch } from './active-switch.tsx';
import { DeliveryTypeForm } from './delivery-type-form.tsx';
import { Code, Row } from './list.tsx';
import { RecordBadge } from './record-badge.tsx';
import { EditButton, ReferenceList } from './reference-list.tsx';

export function DeliveryTypes() {
  const { t } = useTranslation();
  const { id: storeId, mayChangeTypes } = useStore();
  const { queryKey } = deliveryTypesQuery(storeId);
  const query = useQuery(deliveryTypesQuery(storeId));
  const [edited, setEdited] = useState<{ of?: VersionedDeliveryType }>();
  return (
    <>
      <ReferenceList
        query={query}
        label={t('references.deliveryTypes')}
        section="delivery"
        onAdd={() => setEdited({})}
        isShared
        icon={IconTruckDelivery}
      >
        {(type) => (
          <Row
            key={type.id}
            name={type.name}
            isOff={!type.isActive}
            badges={
              type.provider !== null && (
                <RecordBadge>{t('references.delivery.integration', { provider: type.provider })}</RecordBadge>
              )
            }
            note={
              <>
                {t(`references.delivery.kinds.${type.kind}`)} · <Code>{type.code}</Code>
              </>
            }
          >
            {mayChangeTypes && <EditButton name={type.name} onClick={() => setEdited({ of: type })} />}
            <ActiveSwitch
              of={type}
              queryKey={queryKey}
              label={t('references.switchHereNamed', { name: type.name })}
              save={(isActive) =>
                call('PATCH /stores/{storeId}/delivery-types/{deliveryTypeId}', {
                  params: { storeId, deliveryTypeId: type.id },
                  body: { isActive },
                })
              }
            />
          </Row>
        )}
      </ReferenceList>
      {edited && <DeliveryTypeForm storeId={storeId} {...edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
