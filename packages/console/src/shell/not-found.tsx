import { useTranslation } from '../i18n/index.ts';
import { LinkButton } from './link.tsx';
import { Page } from './page.tsx';

export function NotFound() {
  const { t } = useTranslation();
  return (
    <Page title={t('notFound.title')} text={t('notFound.text')} size="form">
      <div>
        <LinkButton variant="default" to="/">
          {t('notFound.back')}
        </LinkButton>
      </div>
    </Page>
  );
}
