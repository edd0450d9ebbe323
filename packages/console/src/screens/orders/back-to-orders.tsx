import { IconArrowLeft } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/index.ts';
import { LinkButton } from '../../shell/link.tsx';
import { useStore } from '../../shell/use-store.ts';
import { lastView } from './view.ts';

export function BackToOrders() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  return (
    <LinkButton
      variant="default"
      leftSection={<IconArrowLeft size={18} />}
      to="/stores/$storeId/orders"
      params={{ storeId }}
      search={lastView(storeId)}
    >
      {t('orders.all')}
    </LinkButton>
  );
}
