import { Box, Group, Text } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { sessionQuery } from '../../api/account.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { LanguageSwitch, SchemeSwitch } from '../../shell/preferences.tsx';
import { Browsers } from './browsers.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Stores } from './stores.tsx';

/** The route loads it first, so that nothing on the page moves. */
const OrderMails = lazy(() => import('./order-mails.tsx'));

export function Account() {
  const { t } = useTranslation();
  const { data } = useSuspenseQuery(sessionQuery);
  return (
    <Page title={t('nav.account')} text={t('account.text')} size="form">
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
      {data.mailEnabled && (
        <Suspense>
          <OrderMails />
        </Suspense>
      )}
      <PasswordForm />
      <SecondFactor />
      <Browsers />
      <Stores />
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
