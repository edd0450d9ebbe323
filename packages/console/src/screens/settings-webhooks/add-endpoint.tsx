import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { EndpointSecret } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addEndpoint, endpointsQuery } from '../../api/webhooks.ts';
import { EndpointForm } from './endpoint-form.tsx';
import { SigningSecret } from './signing-secret.tsx';

/** First the form, then the secret, once. */
export function AddEndpoint({ storeId, isOpen, onClose }: { storeId: string; isOpen: boolean; onClose(): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const isPhone = useMediaQuery('(max-width: 36em)');
  const [added, setAdded] = useState<EndpointSecret>();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setAdded(undefined)}
      size="lg"
      fullScreen={isPhone}
      title={added ? t('webhooks.secretTitle') : t('webhooks.addTitle')}
      // A slip of the hand must not close what is never shown again.
      closeOnClickOutside={!added}
      closeOnEscape={!added}
      withCloseButton={!added}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      {added ? (
        <SigningSecret secret={added.secret} onDone={onClose} />
      ) : (
        <EndpointForm
          action={t('webhooks.add')}
          send={(values) => addEndpoint(storeId, values)}
          onDone={(answer) => {
            void queryClient.invalidateQueries(endpointsQuery(storeId));
            setAdded(answer);
          }}
          onCancel={onClose}
        />
      )}
    </Modal>
  );
}
