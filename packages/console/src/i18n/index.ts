import type { Language } from '@store-sales/contract/console';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Dictionary } from './en.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: Dictionary };
  }
}

/** Each language is a file of its own, fetched when it is chosen. */
const dictionaries: Record<Language, () => Promise<Dictionary>> = {
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
};

const REMEMBERED = 'store-sales-language';

export const languages = Object.keys(dictionaries) as Language[];

const known = (text: string | null) => languages.find((language) => language === text);

/** What this browser's user chose before; nothing when they never did. */
export function rememberedLanguage(): Language | undefined {
  try {
    return known(localStorage.getItem(REMEMBERED));
  } catch {
    return undefined;
  }
}

const ofBrowser = () => navigator.languages.map((tag) => known(tag.slice(0, 2))).find(Boolean) ?? 'en';

export async function startTranslation() {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    resources: {},
    // Rights have a colon in their names.
    nsSeparator: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  await speak(rememberedLanguage() ?? ofBrowser());
}

export async function speak(language: Language) {
  if (!i18next.hasResourceBundle(language, 'translation'))
    i18next.addResourceBundle(language, 'translation', await dictionaries[language]());
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

/** Switches and remembers the choice in this browser. */
export async function choose(language: Language) {
  try {
    localStorage.setItem(REMEMBERED, language);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  await speak(language);
}
