import { type Language, languages } from '@store-sales/contract/values';
import { useSyncExternalStore } from 'react';
import type { Dictionary } from './en.ts';
import { type LazySection, type LazyTexts, loadSection } from './lazy-texts.ts';
import { type Translate, translator } from './translate.ts';

export type { TextKey, Translate } from './translate.ts';

/** Loaded on demand. */
const dictionaries: Record<Language, () => Promise<Dictionary>> = {
  en: async () => (await import('./en.ts')).en,
  ru: async () => (await import('./ru.ts')).ru,
};

const STORAGE_KEY = 'store-sales-language';

const supported = (text: string | null) => languages.find((language) => language === text);

/** The language selected in this browser, if any. */
export function storedLanguage(): Language | undefined {
  try {
    return supported(localStorage.getItem(STORAGE_KEY));
  } catch {
    return undefined;
  }
}

interface Current {
  t: Translate;
  language: Language;
}

/** Dictionaries that are loaded, with the lazy sections that have been needed. */
const loaded = new Map<Language, Dictionary & Partial<LazyTexts>>();
const sections = new Map<LazySection, Promise<void>>();
const listeners = new Set<() => void>();
let current: Current;

/** For code outside of components; components use `useTranslation`, which renders them again in another language. */
export const t: Translate = (key, params) => current.t(key, params);

export const useTranslation = (): Current =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );

/** In the language of the page, which public/start.js has chosen. */
export const startTranslation = () => loadLanguage(supported(document.documentElement.lang) ?? 'en');

/** Loads the texts of a screen. They stay, also in another language. */
export function loadTexts(section: LazySection): Promise<void> {
  const loading = sections.get(section) ?? load();
  sections.set(section, loading);
  return loading;

  async function load() {
    // `loadLanguage` has to find the section in the map.
    await Promise.resolve();
    await loadLanguage(current.language).catch((error: unknown) => {
      sections.delete(section);
      throw error;
    });
  }
}

export async function loadLanguage(language: Language) {
  const dictionary = { ...(loaded.get(language) ?? (await dictionaries[language]())) };
  const missing = [...sections.keys()].filter((section) => !(section in dictionary));
  for (const section of missing) Object.assign(dictionary, { [section]: await loadSection(section, language) });
  loaded.set(language, dictionary);
  current = { t: translator(dictionary, language), language };
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

export async function selectLanguage(language: Language) {
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // Without storage the language lasts until the page is reloaded.
  }
  await loadLanguage(language);
}
