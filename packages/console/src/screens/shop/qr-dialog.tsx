import { Anchor, Stack, Text } from '@mantine/core';
import encode from 'qr';
import { useTranslation } from '../../i18n/index.ts';
import { Dialog } from '../../shell/dialog.tsx';

interface QrDialogProps {
  address: string;
  /** Of the file to download. */
  name: string;
  onClose(): void;
}

/** The address as a QR code, for a shop window or a leaflet. */
export default function QrDialog({ address, name, onClose }: QrDialogProps) {
  const { t } = useTranslation();
  const picture = `data:image/svg+xml,${encodeURIComponent(encode(address, 'svg'))}`;
  return (
    <Dialog onClose={onClose} title={t('shop.qr')}>
      <Stack align="center">
        <Text>{t('shop.qrText')}</Text>
        {/* On white in the dark theme too, so that cameras can read it. */}
        <img src={picture} alt={t('shop.qrAlt', { address })} width={240} height={240} style={{ background: '#fff' }} />
        <Anchor href={picture} download={`${name}.svg`}>
          {t('shop.qrDownload')}
        </Anchor>
      </Stack>
    </Dialog>
  );
}
