import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../i18n/index.ts';
import { Page } from './page.tsx';

export function NotFound() {
  const { t } = useTranslation();
  return (
    <Page title={t('notFound.title')} text={t('notFound.text')} size="form">
      <div>
        <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
          {t('notFound.back')}
        </Button>
      </div>
    </Page>
  );
}
