import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import { type Language, languages } from '@store-sales/contract/values';
import { useQueryClient } from '@tanstack/react-query';
import { sessionQuery } from '../api/account.ts';
import { call } from '../api/client.ts';
import { selectLanguage, useTranslation } from '../i18n/index.ts';

/** A signed-in owner's language is also saved in their profile. */
export function useLanguage() {
  const { language } = useTranslation();
  const queryClient = useQueryClient();
  return {
    language: language as Language,
    async setLanguage(language: Language) {
      await selectLanguage(language);
      const session = queryClient.getQueryData(sessionQuery.queryKey);
      if (!session?.account) return;
      const account = await call('PATCH /profile', { body: { language } });
      queryClient.setQueryData(sessionQuery.queryKey, { ...session, account });
    },
  };
}

export function LanguageSwitch() {
  const { t } = useTranslation();
  const { language, setLanguage } = useLanguage();
  return (
    <SegmentedControl
      aria-label={t('language.label')}
      value={language}
      onChange={(value) => void setLanguage(value as Language)}
      data={languages.map((value) => ({ value, label: t(`language.${value}`) }))}
    />
  );
}

export const schemes = ['light', 'dark', 'auto'] as const;

export function SchemeSwitch() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label={t('theme.label')}
      value={colorScheme}
      onChange={(value) => setColorScheme(value as (typeof schemes)[number])}
      data={schemes.map((value) => ({ value, label: t(`theme.${value}`) }))}
    />
  );
}
