import { Outlet, Link as Tab } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/index.ts';
import { Page } from '../../shell/page.tsx';
import { Tabs, tab } from '../../shell/tabs.tsx';
import { useStore } from '../../shell/use-store.ts';

export function References() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const shared = { params: { storeId }, className: tab };
  return (
    <Page title={t('nav.references')} text={t('references.text')}>
      <Tabs label={t('nav.references')}>
        <Tab to="/stores/$storeId/references/order-statuses" {...shared}>
          {t('references.orderStatuses')}
        </Tab>
        <Tab to="/stores/$storeId/references/payment-statuses" {...shared}>
          {t('references.paymentStatuses')}
        </Tab>
        <Tab to="/stores/$storeId/references/payment-types" {...shared}>
          {t('references.paymentTypes')}
        </Tab>
        <Tab to="/stores/$storeId/references/delivery-types" {...shared}>
          {t('references.deliveryTypes')}
        </Tab>
        <Tab to="/stores/$storeId/references/warehouses" {...shared}>
          {t('references.warehouses')}
        </Tab>
      </Tabs>
      {/* The key resets open dialogs when the store changes. */}
      <Outlet key={storeId} />
    </Page>
  );
}
