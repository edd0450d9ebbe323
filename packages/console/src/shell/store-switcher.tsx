import { Group, Text, ThemeIcon, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBuildingStore, IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useMatches, useNavigate } from '@tanstack/react-router';
import { sessionQuery, storesQuery } from '../api/account.ts';
import { useTranslation } from '../i18n/index.ts';
import { lazyDialog } from './lazy-dialog.tsx';
import { Menu } from './menu.tsx';
import classes from './side-button.module.css';
import { useCurrentStore } from './use-current-store.ts';

const CreateStore = lazyDialog(() => import('./create-store.tsx'));

export function StoreSwitcher() {
  const { t } = useTranslation();
  const { data: stores } = useSuspenseQuery(storesQuery);
  const { data: session } = useSuspenseQuery(sessionQuery);
  const current = useCurrentStore();
  const navigate = useNavigate();
  const section = useSection();
  const [isCreating, { open, close }] = useDisclosure(false);

  return (
    <>
      <Menu
        width={260}
        target={
          <UnstyledButton className={classes.button}>
            <Group gap="sm" wrap="nowrap">
              <ThemeIcon size={32} radius="md">
                <IconBuildingStore size={18} />
              </ThemeIcon>
              <Text fw={600} truncate flex={1}>
                <VisuallyHidden>{t('nav.switchStore')}: </VisuallyHidden>
                {current?.name ?? t('app.name')}
              </Text>
              <IconSelector size={16} aria-hidden />
            </Group>
          </UnstyledButton>
        }
      >
        {stores.length > 0 && <Menu.Label>{t('nav.yourStores')}</Menu.Label>}
        {stores.map((store) => (
          <Menu.Item
            key={store.id}
            rightSection={store.id === current?.id && <IconCheck size={16} />}
            onClick={() => navigate({ to: section, params: { storeId: store.id } })}
          >
            <Text size="sm" truncate maw={190}>
              {store.name}
            </Text>
            <Text size="xs" c="dimmed">
              {store.plan === 'optimal' ? t('stores.planOptimal') : t('stores.planBasic')}
              {!store.isActive && ` · ${t('stores.inactive')}`}
            </Text>
          </Menu.Item>
        ))}
        {session.account?.mayCreateStores && (
          <>
            {stores.length > 0 && <Menu.Divider />}
            <Menu.Item leftSection={<IconPlus size={16} />} onClick={open}>
              {t('nav.createStore')}
            </Menu.Item>
          </>
        )}
      </Menu>
      {isCreating && <CreateStore onClose={close} />}
    </>
  );
}

/** The path of the current section, without the record that is open: another store does not have it. */
function useSection() {
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' });
  const [section] = /^\/stores\/\$storeId(\/[a-z-]+)*/.exec(path) ?? ['/stores/$storeId'];
  // Every section takes the same parameter.
  return section as '/stores/$storeId';
}
