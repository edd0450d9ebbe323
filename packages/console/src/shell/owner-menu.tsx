import { Avatar, Box, Group, Menu, Text, UnstyledButton, useMantineColorScheme, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconLogout, IconSelector, IconUserCircle } from '@tabler/icons-react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { sessionQuery } from '../api/account.ts';
import { languages } from '../i18n/index.ts';
import { schemes, useLanguage } from './preferences.tsx';
import classes from './side-button.module.css';
import { useSignOut } from './use-sign-out.ts';

/** Who is signed in, how the console looks to them, and the way out. */
export function OwnerMenu() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(sessionQuery);
  const { language, setLanguage } = useLanguage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const owner = data.owner;
  if (!owner) return null;
  const tick = (isChosen: boolean) => isChosen && <IconCheck size={16} />;

  return (
    <Menu
      position="top-start"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
      width={240}
      shadow="md"
      radius="md"
    >
      <Menu.Target>
        <UnstyledButton className={classes.button}>
          <Group gap="sm" wrap="nowrap">
            <Avatar size={32} radius="xl" color="indigo" variant="filled" name={owner.name} aria-hidden />
            <Box flex={1} miw={0}>
              <Text size="sm" fw={500} truncate>
                <VisuallyHidden>{t('nav.profileMenu')}: </VisuallyHidden>
                {owner.name}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {owner.email}
              </Text>
            </Box>
            <IconSelector size={16} aria-hidden />
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconUserCircle size={16} />} renderRoot={(props) => <Link to="/account" {...props} />}>
          {t('nav.account')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('theme.label')}</Menu.Label>
        {schemes.map((scheme) => (
          <Menu.Item
            key={scheme}
            closeMenuOnClick={false}
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
            closeMenuOnClick={false}
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
      </Menu.Dropdown>
    </Menu>
  );
}
