import { Box, Group, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { languages } from '@store-sales/contract/values';
import { IconCheck, IconLogout, IconSelector, IconUserCircle } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sessionQuery } from '../api/account.ts';
import { useTranslation } from '../i18n/index.ts';
import { Menu } from './menu.tsx';
import { schemes, useLanguage } from './preferences.tsx';
import shell from './shell.module.css';
import classes from './side-button.module.css';
import { useSignOut } from './use-sign-out.ts';

export function OwnerMenu() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(sessionQuery);
  const { language, setLanguage } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const { account } = data;
  if (!account) return null;
  const tick = (isChosen: boolean) => isChosen && <IconCheck size={16} />;

  return (
    <Menu
      width={240}
      target={
        <UnstyledButton className={classes.button}>
          <Group gap="sm" wrap="nowrap">
            <span className={shell.avatar} aria-hidden>
              {initials(account.name)}
            </span>
            <Box flex={1} miw={0}>
              <Text size="sm" fw={500} truncate>
                <VisuallyHidden>{t('nav.profileMenu')}: </VisuallyHidden>
                {account.name}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {account.email}
              </Text>
            </Box>
            <IconSelector size={16} aria-hidden />
          </Group>
        </UnstyledButton>
      }
    >
      <Menu.Item leftSection={<IconUserCircle size={16} />} renderRoot={(props) => <Link to="/account" {...props} />}>
        {t('nav.account')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>{t('theme.label')}</Menu.Label>
      {schemes.map((scheme) => (
        <Menu.Item
          key={scheme}
          isKeptOpen
          rightSection={tick(scheme === colorScheme)}
          onClick={() => setColorScheme(scheme)}
        >
          {t(`theme.${scheme}`)}
        </Menu.Item>
      ))}
      <Menu.Label>{t('language.label')}</Menu.Label>
      {languages.map((option) => (
        <Menu.Item
          key={option}
          lang={option}
          isKeptOpen
          rightSection={tick(option === language)}
          onClick={() => void setLanguage(option)}
        >
          {t(`language.${option}`)}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={signOut}>
        {t('nav.signOut')}
      </Menu.Item>
    </Menu>
  );
}

/** Of the first two words, or the first two letters of the only one. */
function initials(name: string) {
  const words = name.split(' ').filter(Boolean);
  const letters = words.length > 1 ? words.slice(0, 2).map(([first]) => first) : [...name].slice(0, 2);
  return letters.join('').toUpperCase();
}
