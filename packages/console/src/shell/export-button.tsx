import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from '../i18n/index.ts';

/** Downloads the records of a list, for a spreadsheet in the language of the console. */
export function ExportButton({ hrefOf, hint }: { hrefOf(decimal: 'point' | 'comma'): string; hint: string }) {
  const { t, language } = useTranslation();
  return (
    <Button
      component="a"
      variant="default"
      leftSection={<IconDownload size={18} />}
      title={hint}
      download
      href={hrefOf(language === 'ru' ? 'comma' : 'point')}
    >
      {t('catalog.export')}
    </Button>
  );
}
