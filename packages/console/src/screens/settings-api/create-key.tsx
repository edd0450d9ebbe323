import { useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { SecretDialog } from '../../shell/secret-dialog.tsx';
import { CreateKeyForm } from './create-key-form.tsx';

export function CreateKey({ storeId, isOpen, onClose }: { storeId: string; isOpen: boolean; onClose(): void }) {
  const { t } = useTranslation();
  const [secret, setSecret] = useState<string>();
  const curl = `curl ${window.location.origin}/api/v1/credentials \\\n  -H "Authorization: Bearer ${secret}"`;
  return (
    <SecretDialog
      isOpen={isOpen}
      title={t('keys.createTitle')}
      secret={
        secret === undefined
          ? undefined
          : {
              title: t('keys.secretTitle'),
              texts: [t('keys.secretText')],
              fields: [
                { label: t('keys.secret'), value: secret, testId: 'secret' },
                { label: t('keys.tryIt'), value: curl, testId: 'curl' },
              ],
            }
      }
      onClose={() => {
        setSecret(undefined);
        onClose();
      }}
    >
      <CreateKeyForm storeId={storeId} onCreated={({ secret }) => setSecret(secret)} onCancel={onClose} />
    </SecretDialog>
  );
}
