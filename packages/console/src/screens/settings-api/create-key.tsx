import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { CreatedKey } from '@store-sales/contract/console';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CreateKeyForm } from './create-key-form.tsx';
import { KeySecret } from './key-secret.tsx';

/** First the form, then the secret, once. */
export function CreateKey({ storeId, isOpen, onClose }: { storeId: string; isOpen: boolean; onClose(): void }) {
  const { t } = useTranslation();
  const isPhone = useMediaQuery('(max-width: 36em)');
  const [created, setCreated] = useState<CreatedKey>();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setCreated(undefined)}
      size="lg"
      fullScreen={isPhone}
      title={created ? t('keys.secretTitle') : t('keys.createTitle')}
      // A slip of the hand must not close what is never shown again.
      closeOnClickOutside={!created}
      closeOnEscape={!created}
      withCloseButton={!created}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {created ? (
        <KeySecret secret={created.secret} onDone={onClose} />
      ) : (
        <CreateKeyForm storeId={storeId} onCreated={setCreated} onCancel={onClose} />
      )}
    </Modal>
  );
}
