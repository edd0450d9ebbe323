import { AppShell, Box, Burger, Group, ScrollArea, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigation } from './navigation.tsx';
import { OwnerMenu } from './owner-menu.tsx';
import { StoreSwitcher } from './store-switcher.tsx';
import { useCurrentStore } from './use-current-store.ts';

/** The frame around every screen: store, navigation and owner at the side; behind a burger on a phone. */
export function Shell() {
  const { t } = useTranslation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const store = useCurrentStore();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the screen changes
  useEffect(close, [path]);

  return (
    <AppShell
      layout="alt"
      header={{ height: { base: 56, sm: 0 } }}
      navbar={{ width: 256, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      transitionDuration={150}
    >
      <a className="skip-link" href="#content">
        {t('app.skip')}
      </a>
      <AppShell.Header hiddenFrom="sm" bg="var(--console-surface)" style={{ borderColor: 'var(--console-border)' }}>
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={t('app.menu')} aria-expanded={isOpen} />
          <Text fw={600} truncate>
            {store?.name ?? t('app.name')}
          </Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar bg="var(--console-surface)" style={{ borderColor: 'var(--console-border)' }}>
        <Group p="sm" gap="xs" wrap="nowrap">
          <Burger
            hiddenFrom="sm"
            opened
            onClick={close}
            size="sm"
            aria-label={t('common.close')}
            style={{ flex: 'none' }}
          />
          <Box flex={1} miw={0}>
            <StoreSwitcher />
          </Box>
        </Group>
        <ScrollArea flex={1} px="sm" type="auto">
          <Navigation />
        </ScrollArea>
        <Box p="sm" style={{ borderTop: '1px solid var(--console-border)' }}>
          <OwnerMenu />
        </Box>
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} style={{ outline: 'none' }}>
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
