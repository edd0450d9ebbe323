import type { ApiKey } from '@store-sales/contract/console';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { keysQuery, revokeKey } from '../../api/account.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.tsx';

interface RevokeKeyProps {
  storeId: string;
  /** The dialog is open while this is set. */
  of: ApiKey | undefined;
  onClose(): void;
}

export function RevokeKey({ storeId, of: key, onClose }: RevokeKeyProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (id: string) => revokeKey(storeId, id),
    onSuccess(revoked) {
      queryClient.setQueryData(keysQuery(storeId).queryKey, (keys = []) =>
        keys.map((other) => (other.id === revoked.id ? revoked : other)),
      );
      notify(t('keys.revokedDone'));
      onClose();
    },
  });
  return (
    <Confirm
      isOpen={key !== undefined}
      title={t('keys.revokeTitle')}
      text={t('keys.revokeText', { name: key?.name ?? '' })}
      action={t('keys.revoke')}
      isBusy={isPending}
      problem={error ? explain(error, t) : undefined}
      onConfirm={() => key && mutate(key.id)}
      onClose={() => {
        reset();
        onClose();
      }}
    />
  );
}
