import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from '../../i18n/index.ts';
import { CodeBox } from '../../shell/code-box.tsx';
import { Dialog } from '../../shell/dialog.tsx';

/** Closes only with "Done", because the codes are not shown again. */
export default function RecoveryCodes({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const { t } = useTranslation();
  const text = codes.join('\n');
  return (
    <Dialog onClose={onClose} title={t('secondFactor.shownTitle')} isKeptOpen>
      <Stack>
        <Text size="sm">{t('secondFactor.shownText')}</Text>
        <CodeBox text={text} testId="recovery-codes" />
        <Group justify="space-between">
          <Anchor
            size="sm"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${location.host}\n${text}\n`)}`}
            download="store-sales-recovery-codes.txt"
          >
            {t('secondFactor.download')}
          </Anchor>
          <Button onClick={onClose} data-autofocus>
            {t('common.done')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
