import { ActionIcon, Button } from '@mantine/core';
import type { DeliveryType } from '@store-sales/contract';
import { IconPencil, IconPlus, IconTruckDelivery } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeDeliveryType, deliveryTypesQuery } from '../../api/references.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { useStore } from '../../shell/use-store.ts';
import { ActiveSwitch } from './active-switch.tsx';
import { Mark } from './badge.tsx';
import { DeliveryTypeDialog } from './delivery-type-form.tsx';
import { Code, ListHead, Loaded, Row, Rows } from './list.tsx';

export function DeliveryTypes() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { queryKey } = deliveryTypesQuery(storeId);
  const query = useQuery(deliveryTypesQuery(storeId));
  const [edited, setEdited] = useState<DeliveryType | 'new'>();
  return (
    <>
      <ListHead
        text={t('references.delivery.text')}
        action={
          <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
            {t('references.delivery.add')}
          </Button>
        }
      />
      <Loaded
        query={query}
        empty={
          <EmptyState
            icon={IconTruckDelivery}
            title={t('references.delivery.emptyTitle')}
            text={t('references.delivery.emptyText')}
          />
        }
      >
        {(types) => (
          <section className="panel" aria-label={t('references.deliveryTypes')}>
            <Rows label={t('references.deliveryTypes')}>
              {types.map((type) => (
                <Row
                  key={type.id}
                  name={type.name}
                  isOff={!type.isActive}
                  badges={
                    type.provider !== null && (
                      <Mark>{t('references.delivery.integration', { provider: type.provider })}</Mark>
                    )
                  }
                  note={
                    <>
                      {t(`references.delivery.kinds.${type.kind}`)} · <Code>{type.code}</Code>
                    </>
                  }
                >
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    c="dimmed"
                    size={34}
                    aria-label={t('references.editNamed', { name: type.name })}
                    onClick={() => setEdited(type)}
                  >
                    <IconPencil size={17} />
                  </ActionIcon>
                  <ActiveSwitch
                    of={type}
                    queryKey={queryKey}
                    label={t('references.switchHereNamed', { name: type.name })}
                    save={(isActive) => changeDeliveryType(storeId, type.id, { isActive })}
                  />
                </Row>
              ))}
            </Rows>
          </section>
        )}
      </Loaded>
      <DeliveryTypeDialog storeId={storeId} edited={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}
