import { ActionIcon, Group, Kbd, Text, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from '../i18n/index.ts';
import classes from './side-button.module.css';

/** As the browser's own shortcuts are written on this system. */
export const searchKeys = /Mac|iP(hone|ad)/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

export function SearchButton({ onClick }: { onClick(): void }) {
  const { t } = useTranslation();
  return (
    <UnstyledButton className={classes.button} onClick={onClick}>
      <Group gap="sm" wrap="nowrap" px={4}>
        <IconSearch size={19} stroke={1.7} aria-hidden />
        <Text size="sm" flex={1}>
          {t('search.title')}
        </Text>
        <Kbd size="xs" visibleFrom="sm" aria-hidden>
          {searchKeys}
        </Kbd>
      </Group>
    </UnstyledButton>
  );
}

/** For the header of a phone. */
export function SearchIcon({ onClick }: { onClick(): void }) {
  const { t } = useTranslation();
  return (
    <ActionIcon size="lg" ml="auto" aria-label={t('search.title')} onClick={onClick}>
      <IconSearch size={20} />
    </ActionIcon>
  );
}
