import { SegmentedControl } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/index.ts';
import { useStore } from '../../shell/use-store.ts';
import { lastView } from './view.ts';

export function ViewSwitch({ value }: { value: 'table' | 'board' }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const navigate = useNavigate();
  return (
    <SegmentedControl
      aria-label={t('orders.view')}
      value={value}
      onChange={(chosen) =>
        void (chosen === 'board'
          ? navigate({ to: '/stores/$storeId/orders/board', params: { storeId } })
          : navigate({ to: '/stores/$storeId/orders', params: { storeId }, search: lastView(storeId) }))
      }
      data={[
        { value: 'table', label: t('orders.table') },
        { value: 'board', label: t('orders.board') },
      ]}
    />
  );
}
