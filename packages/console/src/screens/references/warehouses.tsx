import type { VersionedWarehouse } from '@store-sales/contract/console';
import { IconBuildingWarehouse } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { warehousesQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useStore } from '../../shell/use-store.ts';
import { ActiveSwitch } from './active-switch.tsx';
import { Code, Row } from './list.tsx';
import { EditButton, ReferenceList } from './reference-list.tsx';
import { WarehouseForm } from './warehouse-form.tsx';

export function Warehouses() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { queryKey } = warehousesQuery(storeId);
  const query = useQuery(warehousesQuery(storeId));
  const [edited, setEdited] = useState<{ of?: VersionedWarehouse }>();
  return (
    <>
      <ReferenceList
        query={query}
        label={t('references.warehouses')}
        section="stock"
        onAdd={() => setEdited({})}
        icon={IconBuildingWarehouse}
      >
        {(warehouse) => (
          <Row
            key={warehouse.id}
            name={warehouse.name}
            isOff={!warehouse.isActive}
            note={
              <>
                <Code>{warehouse.code}</Code>
                {[warehouse.city, warehouse.address].filter(Boolean).map((text) => ` · ${text}`)}
              </>
            }
          >
            <EditButton name={warehouse.name} onClick={() => setEdited({ of: warehouse })} />
            <ActiveSwitch
              of={warehouse}
              queryKey={queryKey}
              label={t('references.switchNamed', { name: warehouse.name })}
              save={(isActive) =>
                call('PATCH /stores/{storeId}/warehouses/{warehouseId}', {
                  params: { storeId, warehouseId: warehouse.id },
                  body: { isActive },
                })
              }
            />
          </Row>
        )}
      </ReferenceList>
      {edited && <WarehouseForm storeId={storeId} {...edited} onClose={() => setEdited(undefined)} />}
    </>
  );
}
