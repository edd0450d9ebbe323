import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { DeliveryFilter, EndpointDetails } from '@store-sales/contract/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { notify } from '../../shell/notify.tsx';
import { countName } from './words.ts';

interface ResendAllProps {
  storeId: string;
  of: EndpointDetails;
  filter: DeliveryFilter;
}

/** Resends all matching deliveries, not only the loaded ones, after showing their number. */
export function ResendAll(props: ResendAllProps) {
  const { t } = useTranslation();
  const [isOpen, { open, close }] = useDisclosure(false);
  const { isActive } = props.of;
  return (
    <>
      <Button
        variant="default"
        disabled={!isActive}
        {...(!isActive && { title: t('webhooks.enableFirst') })}
        onClick={open}
      >
        {t('webhooks.resendAll')}
      </Button>
      {isOpen && <ResendDialog {...props} onClose={close} />}
    </>
  );
}

function ResendDialog({ storeId, of: { id }, filter, onClose }: ResendAllProps & { onClose(): void }) {
  const { t, language } = useTranslation();
  const queryClient = useQueryClient();
  const params = { storeId, endpointId: id };
  const { data, isLoading, error } = useQuery({
    ...query('GET /stores/{storeId}/webhooks/{endpointId}/resend', { params, query: filter }),
    staleTime: 0,
    gcTime: 0,
  });
  function message() {
    if (!data) return isLoading ? t('common.loading') : '';
    if (!data.count) return t('webhooks.resendNothing');
    const all = t('webhooks.resendAllText', { count: countName(data, t, language) });
    return data.delivered ? `${all} ${t('webhooks.resendDelivered', { count: data.delivered })}` : all;
  }
  return (
    <Confirm
      title={t('webhooks.resendAllTitle')}
      text={message()}
      action={t('webhooks.resendAll')}
      isDangerous={false}
      isDisabled={!data?.count}
      error={error}
      run={() => call('POST /stores/{storeId}/webhooks/{endpointId}/resend', { params, body: filter })}
      onDone={({ count }) => {
        notify(t('webhooks.resentAll', { count }));
        return queryClient.invalidateQueries({ queryKey: [params] });
      }}
      onClose={onClose}
    />
  );
}
