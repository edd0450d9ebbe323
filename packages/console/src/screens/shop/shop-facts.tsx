import type { ShopSettings } from '@store-sales/contract/console';
import { useTranslation } from '../../i18n/index.ts';
import { type Fact, Facts } from '../../shell/facts.tsx';
import { useMoney } from '../../shell/money.ts';
import { Panel } from '../../shell/panel.tsx';
import { paymentTypeName } from '../../shell/system-names.ts';

/** The settings for those who may not change them. */
export function ShopFacts({ settings }: { settings: ShopSettings }) {
  const { t } = useTranslation();
  const { money } = useMoney();
  const delivery = settings.delivery.filter(({ isOffered }) => isOffered);
  const payments = settings.payments.filter(({ isOffered }) => isOffered);
  const facts: Fact[] = [
    [t('shop.slug'), settings.slug],
    [t('shop.pageTitle'), settings.title],
    [t('shop.about'), settings.about],
    [t('shop.contacts'), settings.contacts],
    [t('shop.language'), t(`language.${settings.language}`)],
    [t('shop.smallestOrder'), settings.smallestOrder > 0 && money(settings.smallestOrder)],
    [t('shop.isInFeeds'), t(settings.isInFeeds ? 'common.yes' : 'common.no')],
    [t('shop.delivery'), delivery.map(({ name, cost }) => `${name}: ${money(cost)}`).join('\n')],
    [t('shop.payments'), payments.map((type) => paymentTypeName(type, t)).join('\n')],
  ];
  return (
    <Panel title={t('nav.settings')}>
      <Facts of={facts} cols={1} />
    </Panel>
  );
}
