import { SegmentedControl, useMantineColorScheme } from '@mantine/core';
import type { Language } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { changeProfile, sessionQuery } from '../api/account.ts';
import { choose, languages } from '../i18n/index.ts';

/** Switches at once; a signed-in owner's choice also follows them to other browsers. */
export function useLanguage() {
  const { i18n } = useTranslation();
  const queryClient = useQueryClient();
  return {
    language: i18n.language as Language,
    async setLanguage(language: Language) {
      await choose(language);
      const session = queryClient.getQueryData(sessionQuery.queryKey);
      if (!session?.owner) return;
      const owner = await changeProfile({ language });
      queryClient.setQueryData(sessionQuery.queryKey, { ...session, owner });
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
