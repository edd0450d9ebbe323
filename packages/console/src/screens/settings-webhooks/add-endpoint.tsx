import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { endpointsQuery } from '../../api/webhooks.ts';
import { useTranslation } from '../../i18n/index.ts';
import { SecretDialog } from '../../shell/secret-dialog.tsx';
import { EndpointForm } from './endpoint-form.tsx';

/** The form, then the secret. */
export function AddEndpoint({ storeId, onClose }: { storeId: string; onClose(): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState<string>();
  if (secret)
    return (
      <SecretDialog
        title={t('webhooks.secretTitle')}
        texts={[t('webhooks.secretText')]}
        fields={[{ label: t('webhooks.secret'), value: secret, testId: 'signing-secret' }]}
        onClose={onClose}
      />
    );
  return (
    <EndpointForm
      title={t('webhooks.addTitle')}
      action={t('webhooks.add')}
      send={(body) => call('POST /stores/{storeId}/webhooks', { params: { storeId }, body })}
      onDone={(added) => {
        void queryClient.invalidateQueries(endpointsQuery(storeId));
        setSecret(added.secret);
      }}
      onClose={onClose}
    />
  );
}
