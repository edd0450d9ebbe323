import { Outlet, Link as Tab } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../shell/page.tsx';
import { Tabs, tab } from '../../shell/tabs.tsx';
import { useStore } from '../../shell/use-store.ts';

/** The frame of the catalog: products, the tree they stand in, and files that bring both. */
export function Catalog() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const shared = { params: { storeId }, className: tab };
  return (
    <Page title={t('catalog.title')} text={t('catalog.text')}>
      <Tabs label={t('catalog.parts')}>
        {/* Filters in the address do not make it another part. */}
        <Tab to="/stores/$storeId/catalog/products" {...shared} activeOptions={{ includeSearch: false }}>
          {t('catalog.products')}
        </Tab>
        <Tab to="/stores/$storeId/catalog/categories" {...shared}>
          {t('catalog.categories')}
        </Tab>
        <Tab to="/stores/$storeId/catalog/import" {...shared} activeOptions={{ includeSearch: false }}>
          {t('catalog.import')}
        </Tab>
      </Tabs>
      {/* Another store is another catalog: nothing that is open for one is done in the other. */}
      <Outlet key={storeId} />
    </Page>
  );
}
