import { Button } from '@mantine/core';
import type { OrderPageQuery } from '@store-sales/contract/console';
import { IconChevronDown, IconPrinter } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../i18n/index.ts';
import { Menu } from '../../shell/menu.tsx';
import { useStore } from '../../shell/use-store.ts';

/** Opens the documents of these orders in another tab, ready to print. */
export function PrintMenu({ chosen, isMany = false }: { chosen: OrderPageQuery; isMany?: boolean }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  return (
    <Menu
      align="end"
      target={
        <Button variant="default" leftSection={<IconPrinter size={18} />} rightSection={<IconChevronDown size={16} />}>
          {t('orders.print')}
        </Button>
      }
    >
      {(['slip', 'invoice'] as const).map((kind) => (
        <Menu.Item
          key={kind}
          renderRoot={(props) => (
            <Link
              {...props}
              to="/stores/$storeId/orders/print"
              params={{ storeId }}
              search={{ ...chosen, kind }}
              target="_blank"
            />
          )}
        >
          {t(isMany ? `orders.${kind}s` : `orders.printed.${kind}`)}
        </Menu.Item>
      ))}
    </Menu>
  );
}
