import { Outlet, Link as Tab } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/index.ts';
import { Page } from '../../shell/page.tsx';
import { Tabs, tab } from '../../shell/tabs.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';

export function Catalog() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const may = useMay();
  const shared = { params: { storeId }, className: tab };
  return (
    <Page title={t('nav.catalog')} text={t('catalog.text')}>
      <Tabs label={t('catalog.parts')}>
        {/* The tab stays active with filters in the URL. */}
        <Tab to="/stores/$storeId/catalog/products" {...shared} activeOptions={{ includeSearch: false }}>
          {t('catalog.products')}
        </Tab>
        <Tab to="/stores/$storeId/catalog/categories" {...shared}>
          {t('catalog.categories')}
        </Tab>
        <Tab to="/stores/$storeId/catalog/promo-codes" {...shared} activeOptions={{ includeSearch: false }}>
          {t('catalog.promoCodes')}
        </Tab>
        {may('changeCatalog') && (
          <Tab to="/stores/$storeId/catalog/import" {...shared} activeOptions={{ includeSearch: false }}>
            {t('catalog.import')}
          </Tab>
        )}
      </Tabs>
      {/* The key resets open dialogs when the store changes. */}
      <Outlet key={storeId} />
    </Page>
  );
}
