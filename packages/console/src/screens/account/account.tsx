import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { LanguageSwitch, SchemeSwitch } from '../../shell/preferences.tsx';
import { Browsers } from './browsers.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';

export function Account() {
  const { t } = useTranslation();
  return (
    <Page title={t('account.title')} text={t('account.text')} size="form">
      <ProfileForm />
      <Panel title={t('account.preferences')}>
        <Group gap="xl">
          <Choice label={t('language.label')}>
            <LanguageSwitch />
          </Choice>
          <Choice label={t('theme.label')}>
            <SchemeSwitch />
          </Choice>
        </Group>
      </Panel>
      <PasswordForm />
      <Browsers />
    </Page>
  );
}

const Choice = ({ label, children }: { label: string; children: ReactNode }) => (
  <Box>
    <Text size="sm" fw={600} mb={4} aria-hidden>
      {label}
    </Text>
    {children}
  </Box>
);
