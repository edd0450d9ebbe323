import type { VersionedWarehouse } from '@store-sales/contract/console';
import { IconBuildingWarehouse } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { changeWarehouse, warehousesQuery } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useStore } from '../../shell/use-store.ts';
import { ActiveSwitch } from './active-switch.tsx';
import { Code, Row } from './list.tsx';
import { EditDialog } from './record-dialog.tsx';
import { EditButton, ReferenceList } from './reference-list.tsx';
import { WarehouseForm } from './warehouse-form.tsx';

export function Warehouses() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { queryKey } = warehousesQuery(storeId);
  const query = useQuery(warehousesQuery(storeId));
  const [edited, setEdited] = useState<VersionedWarehouse | 'new'>();
  const close = () => setEdited(undefined);
  return (
    <>
      <ReferenceList
        query={query}
        label={t('references.warehouses')}
        section="stock"
        onAdd={() => setEdited('new')}
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
            <EditButton name={warehouse.name} onClick={() => setEdited(warehouse)} />
            <ActiveSwitch
              of={warehouse}
              queryKey={queryKey}
              label={t('references.switchNamed', { name: warehouse.name })}
              save={(isActive) => changeWarehouse(storeId, warehouse.id, { isActive })}
            />
          </Row>
        )}
      </ReferenceList>
      <EditDialog edited={edited} section="stock" onClose={close}>
        {(of) => <WarehouseForm storeId={storeId} of={of} onClose={close} />}
      </EditDialog>
    </>
  );
}
