import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/index.ts';
import { useStore } from '../../shell/use-store.ts';
import { lastView } from './view.ts';

export function BackToOrders() {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  return (
    <Button
      variant="default"
      leftSection={<IconArrowLeft size={18} />}
      renderRoot={(props) => (
        <Link {...props} to="/stores/$storeId/orders" params={{ storeId }} search={lastView(storeId)} />
      )}
    >
      {t('orders.all')}
    </Button>
  );
}
