import { Center, Loader } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** While a screen takes long to come; a quick one is not announced at all. */
export function Pending() {
  const { t } = useTranslation();
  return (
    <Center mih="60vh" role="status" aria-label={t('common.loading')}>
      <Loader type="dots" />
    </Center>
  );
}
