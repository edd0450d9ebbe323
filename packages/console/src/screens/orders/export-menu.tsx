import { ActionIcon, Button } from '@mantine/core';
import type { OrderExportQuery } from '@store-sales/contract/console';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import type { ComponentProps, ReactElement } from 'react';
import { urlOf } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Menu } from '../../shell/menu.tsx';

/** Downloads the orders that match the filters, for a spreadsheet in the language of the console. */
export function ExportMenu({ storeId, view }: { storeId: string; view: OrderExportQuery }) {
  const { t, language } = useTranslation();
  const decimal = language === 'ru' ? 'comma' : 'point';
  const addressOf = (rows: 'orders' | 'items') =>
    urlOf('GET /stores/{storeId}/orders/export', { params: { storeId }, query: { ...view, rows, decimal } });
  const menu = (target: ReactElement<ComponentProps<'button'>>) => (
    <Menu align="end" target={target}>
      {(['orders', 'items'] as const).map((rows) => (
        <Menu.Item key={rows} renderRoot={(props) => <a {...props} download href={addressOf(rows)} />}>
          {t(`orders.exportRows.${rows}`)}
        </Menu.Item>
      ))}
    </Menu>
  );
  const look = { variant: 'default', title: t('orders.exportHint') } as const;
  // On a phone the button is only an icon, so that all actions fit in one row.
  return (
    <>
      {menu(
        <Button
          {...look}
          visibleFrom="sm"
          leftSection={<IconDownload size={18} />}
          rightSection={<IconChevronDown size={16} />}
        >
          {t('orders.export')}
        </Button>,
      )}
      {menu(
        <ActionIcon {...look} c="inherit" hiddenFrom="sm" size={36} aria-label={t('orders.export')}>
          <IconDownload size={18} />
        </ActionIcon>,
      )}
    </>
  );
}
