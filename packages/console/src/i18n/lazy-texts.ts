import type { Language } from '@store-sales/contract/values';
import type history from './lazy/history.en.ts';
import type importErrors from './lazy/import-errors.en.ts';
import type importPage from './lazy/import-page.en.ts';
import type keys from './lazy/keys.en.ts';
import type orderMails from './lazy/order-mails.en.ts';
import type password from './lazy/password.en.ts';
import type pictures from './lazy/pictures.en.ts';
import type promo from './lazy/promo.en.ts';
import type references from './lazy/references.en.ts';
import type requests from './lazy/requests.en.ts';
import type secondFactor from './lazy/second-factor.en.ts';
import type shop from './lazy/shop.en.ts';
import type stock from './lazy/stock.en.ts';
import type team from './lazy/team.en.ts';
import type webhooks from './lazy/webhooks.en.ts';
import type { Texts } from './texts.ts';

/** Texts of single screens, which are loaded with them instead of with every page. */
export interface LazyTexts {
  history: Texts<typeof history>;
  importErrors: Texts<typeof importErrors>;
  importPage: Texts<typeof importPage>;
  keys: Texts<typeof keys>;
  orderMails: Texts<typeof orderMails>;
  password: Texts<typeof password>;
  pictures: Texts<typeof pictures>;
  promo: Texts<typeof promo>;
  references: Texts<typeof references>;
  requests: Texts<typeof requests>;
  secondFactor: Texts<typeof secondFactor>;
  shop: Texts<typeof shop>;
  stock: Texts<typeof stock>;
  team: Texts<typeof team>;
  webhooks: Texts<typeof webhooks>;
}

export type LazySection = keyof LazyTexts;

export async function loadSection(section: LazySection, language: Language): Promise<LazyTexts[LazySection]> {
  const file = section.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return (await import(`./lazy/${file}.${language}.ts`)).default;
}
