import { IconLock } from '@tabler/icons-react';
import { useTranslation } from '../i18n/index.ts';
import { CodeBox } from './code-box.tsx';
import { EmptyState } from './empty-state.tsx';

/** Shown instead of the screens that need the Optimal plan. */
export function PlanRequired({ title, storeId }: { title: string; storeId: string }) {
  const { t } = useTranslation();
  return (
    <EmptyState icon={IconLock} title={title} text={`${t('stores.planText')} ${t('stores.planCommand')}`}>
      <CodeBox text={`npx store-sales store plan ${storeId} optimal`} />
    </EmptyState>
  );
}
