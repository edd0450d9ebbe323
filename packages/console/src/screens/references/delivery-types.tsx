import type { VersionedDeliveryType } from '@store-sales/contract/console';
import { IconTruckDelivery } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changeDeliveryType, deliveryTypesQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useStore } from '../../shell/use-store.ts';
import { ActiveSwitch } from './active-switch.tsx';
import { DeliveryTypeForm } from './delivery-type-form.tsx';
import { Code, Row } from './list.tsx';
import { RecordBadge } from './record-badge.tsx';
import { EditDialog } from './record-dialog.tsx';
import { EditButton, ReferenceList } from './reference-list.tsx';

export function DeliveryTypes() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { queryKey } = deliveryTypesQuery(storeId);
  const query = useQuery(deliveryTypesQuery(storeId));
  const [edited, setEdited] = useState<VersionedDeliveryType | 'new'>();
  const close = () => setEdited(undefined);
  return (
    <>
      <ReferenceList
        query={query}
        label={t('references.deliveryTypes')}
        section="delivery"
        onAdd={() => setEdited('new')}
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
            <EditButton name={type.name} onClick={() => setEdited(type)} />
            <ActiveSwitch
              of={type}
              queryKey={queryKey}
              label={t('references.switchHereNamed', { name: type.name })}
              save={(isActive) => changeDeliveryType(storeId, type.id, { isActive })}
            />
          </Row>
        )}
      </ReferenceList>
      <EditDialog edited={edited} section="delivery" onClose={close}>
        {(of) => <DeliveryTypeForm storeId={storeId} of={of} onClose={close} />}
      </EditDialog>
    </>
  );
}
