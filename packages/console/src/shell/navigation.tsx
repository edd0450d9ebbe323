import { Stack, Text } from '@mantine/core';
import {
  type Icon,
  IconBuildingStore,
  IconHistory,
  IconHome,
  IconKey,
  IconListDetails,
  IconPackage,
  IconShoppingCart,
  IconTransfer,
  IconUserCircle,
  IconUsers,
  IconUsersGroup,
  IconWebhook,
  IconWorld,
} from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { useTranslation } from '../i18n/index.ts';
import classes from './shell.module.css';
import { useCurrentStore } from './use-current-store.ts';
import { useMayOpen } from './use-may.ts';

export function Navigation() {
  const { t } = useTranslation();
  const store = useCurrentStore();
  const params = { storeId: store?.id ?? '' };
  return (
    <Stack gap={2}>
      {store && <Entry icon={IconHome} label={t('nav.home')} to="/stores/$storeId" params={params} isExact />}
      {store && <Entry icon={IconShoppingCart} label={t('nav.orders')} to="/stores/$storeId/orders" params={params} />}
      {store && <Entry icon={IconPackage} label={t('nav.catalog')} to="/stores/$storeId/catalog" params={params} />}
      {store && <Entry icon={IconUsers} label={t('nav.customers')} to="/stores/$storeId/customers" params={params} />}
      <Text size="xs" fw={600} c="dimmed" px="sm" pt="xs" pb={4}>
        {t('nav.settings')}
      </Text>
      {store && (
        <>
          <Entry icon={IconListDetails} label={t('nav.references')} to="/stores/$storeId/references" params={params} />
          <Entry icon={IconWorld} label={t('nav.shop')} to="/stores/$storeId/settings/shop" params={params} />
          <Entry icon={IconUsersGroup} label={t('nav.team')} to="/stores/$storeId/settings/team" params={params} />
          <Entry icon={IconKey} label={t('nav.apiKeys')} to="/stores/$storeId/settings/api-keys" params={params} />
          <Entry icon={IconWebhook} label={t('nav.webhooks')} to="/stores/$storeId/settings/webhooks" params={params} />
          <Entry
            icon={IconTransfer}
            label={t('nav.requests')}
            to="/stores/$storeId/settings/requests"
            params={params}
          />
          <Entry icon={IconHistory} label={t('nav.history')} to="/stores/$storeId/history" params={params} />
          <Entry icon={IconBuildingStore} label={t('nav.store')} to="/stores/$storeId/settings/store" params={params} />
        </>
      )}
      <Entry icon={IconUserCircle} label={t('nav.account')} to="/account" />
    </Stack>
  );
}

type EntryProps = { icon: Icon; label: string; isExact?: boolean } & Pick<LinkProps, 'to' | 'params'>;

/** `isExact`: not active on nested screens. */
function Entry({ icon: Glyph, label, isExact = false, ...target }: EntryProps) {
  const mayOpen = useMayOpen();
  if (!mayOpen(target.to)) return null;
  return (
    <Link className={classes.link} {...target} activeOptions={{ exact: isExact }}>
      <Glyph size={19} stroke={1.7} />
      {label}
    </Link>
  );
}
