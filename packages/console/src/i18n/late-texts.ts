import type { Language } from '@store-sales/contract/console';
import type { historyEn } from './history.en.ts';
import type { importErrorsEn } from './import-errors.en.ts';
import type { importPageEn } from './import-page.en.ts';
import type { keysEn } from './keys.en.ts';
import type { orderMailsEn } from './order-mails.en.ts';
import type { passwordEn } from './password.en.ts';
import type { referencesEn } from './references.en.ts';
import type { requestsEn } from './requests.en.ts';
import type { secondFactorEn } from './second-factor.en.ts';
import type { shopEn } from './shop.en.ts';
import type { teamEn } from './team.en.ts';
import type { Texts } from './texts.ts';
import type { webhooksEn } from './webhooks.en.ts';

/** Texts of single screens, which are loaded with them instead of with every page. */
export interface LateTexts {
  history: Texts<typeof historyEn>;
  importErrors: Texts<typeof importErrorsEn>;
  importPage: Texts<typeof importPageEn>;
  secondFactor: Texts<typeof secondFactorEn>;
  keys: Texts<typeof keysEn>;
  references: Texts<typeof referencesEn>;
  requests: Texts<typeof requestsEn>;
  orderMails: Texts<typeof orderMailsEn>;
  password: Texts<typeof passwordEn>;
  shop: Texts<typeof shopEn>;
  team: Texts<typeof teamEn>;
  webhooks: Texts<typeof webhooksEn>;
}

export type LateSection = keyof LateTexts;

export const lateTexts: {
  [Section in LateSection]: Record<Language, () => Promise<LateTexts[Section]>>;
} = {
  history: {
    en: async () => (await import('./history.en.ts')).historyEn,
    ru: async () => (await import('./history.ru.ts')).historyRu,
  },
  importErrors: {
    en: async () => (await import('./import-errors.en.ts')).importErrorsEn,
    ru: async () => (await import('./import-errors.ru.ts')).importErrorsRu,
  },
  importPage: {
    en: async () => (await import('./import-page.en.ts')).importPageEn,
    ru: async () => (await import('./import-page.ru.ts')).importPageRu,
  },
  secondFactor: {
    en: async () => (await import('./second-factor.en.ts')).secondFactorEn,
    ru: async () => (await import('./second-factor.ru.ts')).secondFactorRu,
  },
  keys: {
    en: async () => (await import('./keys.en.ts')).keysEn,
    ru: async () => (await import('./keys.ru.ts')).keysRu,
  },
  references: {
    en: async () => (await import('./references.en.ts')).referencesEn,
    ru: async () => (await import('./references.ru.ts')).referencesRu,
  },
  requests: {
    en: async () => (await import('./requests.en.ts')).requestsEn,
    ru: async () => (await import('./requests.ru.ts')).requestsRu,
  },
  orderMails: {
    en: async () => (await import('./order-mails.en.ts')).orderMailsEn,
    ru: async () => (await import('./order-mails.ru.ts')).orderMailsRu,
  },
  password: {
    en: async () => (await import('./password.en.ts')).passwordEn,
    ru: async () => (await import('./password.ru.ts')).passwordRu,
  },
  shop: {
    en: async () => (await import('./shop.en.ts')).shopEn,
    ru: async () => (await import('./shop.ru.ts')).shopRu,
  },
  team: {
    en: async () => (await import('./team.en.ts')).teamEn,
    ru: async () => (await import('./team.ru.ts')).teamRu,
  },
  webhooks: {
    en: async () => (await import('./webhooks.en.ts')).webhooksEn,
    ru: async () => (await import('./webhooks.ru.ts')).webhooksRu,
  },
};
