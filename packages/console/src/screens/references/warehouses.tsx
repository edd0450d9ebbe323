import { ActionIcon, Button } from '@mantine/core';
import type { Warehouse } from '@store-sales/contract';
import { IconBuildingWarehouse, IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { changeWarehouse, warehousesQuery } from '../../api/references.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { useStore } from '../../shell/use-store.ts';
import { ActiveSwitch } from './active-switch.tsx';
import { Code, ListHead, Loaded, Row, Rows } from './list.tsx';
import { WarehouseDialog } from './warehouse-form.tsx';

export function Warehouses() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const { queryKey } = warehousesQuery(storeId);
  const query = useQuery(warehousesQuery(storeId));
  const [edited, setEdited] = useState<Warehouse | 'new'>();
  const add = (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
      {t('references.stock.add')}
    </Button>
  );
  return (
    <>
      <ListHead text={t('references.stock.text')} action={query.data?.length ? add : undefined} />
      <Loaded
        query={query}
        empty={
          <EmptyState
            icon={IconBuildingWarehouse}
            title={t('references.stock.emptyTitle')}
            text={t('references.stock.emptyText')}
          >
            {add}
          </EmptyState>
        }
      >
        {(warehouses) => (
          <section className="panel" aria-label={t('references.warehouses')}>
            <Rows label={t('references.warehouses')}>
              {warehouses.map((warehouse) => (
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
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    c="dimmed"
                    size={34}
                    aria-label={t('references.editNamed', { name: warehouse.name })}
                    onClick={() => setEdited(warehouse)}
                  >
                    <IconPencil size={17} />
                  </ActionIcon>
                  <ActiveSwitch
                    of={warehouse}
                    queryKey={queryKey}
                    label={t('references.switchNamed', { name: warehouse.name })}
                    save={(isActive) => changeWarehouse(storeId, warehouse.id, { isActive })}
                  />
                </Row>
              ))}
            </Rows>
          </section>
        )}
      </Loaded>
      <WarehouseDialog storeId={storeId} edited={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}
