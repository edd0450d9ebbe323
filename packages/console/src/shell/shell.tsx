import { Box, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { loadTexts, useTranslation } from '../i18n/index.ts';
import { useForeignZone } from './dates.ts';
import { lazyDialog } from './lazy-dialog.tsx';
import { useLiveChanges } from './live.ts';
import { Navigation } from './navigation.tsx';
import { OwnerMenu } from './owner-menu.tsx';
import { SearchButton, SearchIcon } from './search-button.tsx';
import { SessionDialog } from './session-dialog.tsx';
import classes from './shell.module.css';
import { Shortcuts } from './shortcuts.tsx';
import { StoreSwitcher } from './store-switcher.tsx';
import { UnsavedGuard } from './unsaved.tsx';
import { useCurrentStore } from './use-current-store.ts';
import { useSearchPalette } from './use-search-palette.ts';
import { VerificationDialog } from './verification-dialog.tsx';

const SearchPalette = lazyDialog(async () => {
  await loadTexts('references');
  return import('./search-palette.tsx');
});

/** Layout of every signed-in screen; the sidebar collapses on a phone. */
export function Shell() {
  const { t } = useTranslation();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const store = useCurrentStore();
  const zone = useForeignZone();
  useLiveChanges(store?.id);
  const search = useSearchPalette();

  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the screen changes
  useEffect(close, [path]);

  return (
    <>
      <SessionDialog />
      <VerificationDialog />
      <Shortcuts />
      {search.isOpen && <SearchPalette onClose={search.close} />}
      <a className="skip-link" href="#content">
        {t('app.skip')}
      </a>
      <Box component="header" className={classes.header ?? ''} hiddenFrom="sm">
        <Group h="100%" px="md" gap="sm" wrap="nowrap">
          <Burger opened={isOpen} onClick={toggle} size="sm" aria-label={t('app.menu')} aria-expanded={isOpen} />
          <Text fw={600} truncate>
            {store?.name ?? t('app.name')}
          </Text>
          <SearchIcon onClick={search.open} />
        </Group>
      </Box>
      <nav className={classes.sidebar} data-open={isOpen || undefined}>
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
        {zone && (
          <Text size="xs" c="dimmed" px="md" pb="xs">
            {t('nav.zone', { zone })}
          </Text>
        )}
        <Box px="sm" pb="xs">
          <SearchButton onClick={search.open} />
        </Box>
        <div className={classes.links}>
          <Navigation />
        </div>
        <Box p="sm" style={{ borderTop: '1px solid var(--console-border)' }}>
          <OwnerMenu />
        </Box>
      </nav>
      <main className={classes.main} id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <UnsavedGuard />
    </>
  );
}
