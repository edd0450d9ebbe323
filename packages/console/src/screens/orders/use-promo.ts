import { useDebouncedValue } from '@mantine/hooks';
import type { AppliedPromoCode } from '@store-sales/contract/console';
import { type PromoTerms, promoDiscount, reachesMinimum } from '@store-sales/contract/totals';
import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { kopecks } from '../../shell/money.ts';
import { useStore } from '../../shell/use-store.ts';
import { type Draft, pricedLines } from './new-order-draft.ts';

/** The code of the order that is edited; null if it has only the text of one. */
export interface OwnPromo {
  code: string;
  applied: AppliedPromoCode | null;
}

const keyOf = (code: string) => code.trim().toLowerCase();

/** What the promo code of a draft takes off, or why it does not apply. The server computes the same when it is saved. */
export function usePromo(draft: Draft, own?: OwnPromo): { discount: number; problem?: string } {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const code = draft.promoCode.trim();
  const [typed] = useDebouncedValue(code, 300);
  const isOwn = own !== undefined && keyOf(own.code) === keyOf(code);
  const { data: found } = useQuery({
    ...query('GET /stores/{storeId}/orders/promo-code', { params: { storeId }, query: { code: typed } }),
    enabled: !isOwn && typed !== '',
    staleTime: 0,
  });
  const lookup = code && code === typed ? found : undefined;
  if (!isOwn && lookup?.refusal) return { discount: 0, problem: t(`fieldErrors.promo_${lookup.refusal}`) };
  const terms: PromoTerms | null | undefined = isOwn ? own.applied : lookup?.terms;
  if (!code || !terms) return { discount: 0 };
  const lines = pricedLines(draft);
  if (!reachesMinimum(terms, lines)) return { discount: 0, problem: t('fieldErrors.promo_minimum') };
  return { discount: promoDiscount(terms, lines, kopecks(draft.discount)) };
}
