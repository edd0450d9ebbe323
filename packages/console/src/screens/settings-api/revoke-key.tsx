import type { ApiKey } from '@store-sales/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { keysQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { notify } from '../../shell/notify.tsx';

interface RevokeKeyProps {
  storeId: string;
  of: ApiKey;
  onClose(): void;
}

export function RevokeKey({ storeId, of: { id: keyId, name }, onClose }: RevokeKeyProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return (
    <Confirm
      title={t('keys.revokeTitle')}
      text={t('keys.revokeText', { name })}
      action={t('keys.revoke')}
      run={() => call('DELETE /stores/{storeId}/keys/{keyId}', { params: { storeId, keyId } })}
      onDone={(revoked) => {
        queryClient.setQueryData(keysQuery(storeId).queryKey, (keys = []) =>
          keys.map((other) => (other.id === keyId ? revoked : other)),
        );
        notify(t('keys.revokedDone'));
      }}
      onClose={onClose}
    />
  );
}
