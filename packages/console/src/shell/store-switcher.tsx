import { Group, Menu, Text, ThemeIcon, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconBuildingStore, IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { storesQuery } from '../api/account.ts';
import { CreateStore } from '../screens/stores/create-store.tsx';
import classes from './side-button.module.css';
import { useCurrentStore } from './use-current-store.ts';

export function StoreSwitcher() {
  const { t } = useTranslation();
  const { data: stores } = useSuspenseQuery(storesQuery);
  const current = useCurrentStore();
  const navigate = useNavigate();
  const [isCreating, { open, close }] = useDisclosure(false);

  return (
    <>
      <Menu
        position="bottom-start"
        withinPortal={false}
        withInitialFocusPlaceholder={false}
        width={260}
        shadow="md"
        radius="md"
      >
        <Menu.Target>
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
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          {stores.length > 0 && <Menu.Label>{t('nav.yourStores')}</Menu.Label>}
          {stores.map((store) => (
            <Menu.Item
              key={store.id}
              rightSection={store.id === current?.id && <IconCheck size={16} />}
              onClick={() => navigate({ to: '/stores/$storeId', params: { storeId: store.id } })}
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
          {stores.length > 0 && <Menu.Divider />}
          <Menu.Item leftSection={<IconPlus size={16} />} onClick={open}>
            {t('nav.createStore')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <CreateStore isOpen={isCreating} onClose={close} />
    </>
  );
}
