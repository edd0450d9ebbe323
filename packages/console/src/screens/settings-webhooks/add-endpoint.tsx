import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { addEndpoint, endpointsQuery } from '../../api/webhooks.ts';
import { useTranslation } from '../../i18n/index.ts';
import { SecretDialog } from '../../shell/secret-dialog.tsx';
import { EndpointForm } from './endpoint-form.tsx';

export function AddEndpoint({ storeId, isOpen, onClose }: { storeId: string; isOpen: boolean; onClose(): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string>();
  return (
    <SecretDialog
      isOpen={isOpen}
      title={t('webhooks.addTitle')}
      secret={
        secret === undefined
          ? undefined
          : {
              title: t('webhooks.secretTitle'),
              texts: [t('webhooks.secretText')],
              fields: [{ label: t('webhooks.secret'), value: secret, testId: 'signing-secret' }],
            }
      }
      onClose={() => {
        setSecret(undefined);
        onClose();
      }}
    >
      <EndpointForm
        action={t('webhooks.add')}
        send={(values) => addEndpoint(storeId, values)}
        onDone={(added) => {
          void queryClient.invalidateQueries(endpointsQuery(storeId));
          setSecret(added.secret);
        }}
        onCancel={onClose}
      />
    </SecretDialog>
  );
}
