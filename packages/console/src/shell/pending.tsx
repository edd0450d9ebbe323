import { Center, Loader } from '@mantine/core';
import { useTranslation } from '../i18n/index.ts';

export function Pending() {
  const { t } = useTranslation();
  return (
    <Center mih="60vh" role="status" aria-label={t('common.loading')}>
      <Loader type="dots" />
    </Center>
  );
}
