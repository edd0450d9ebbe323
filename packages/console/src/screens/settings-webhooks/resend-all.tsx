import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { DeliveryFilter, EndpointDetails } from '@store-sales/contract/console';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endpointQuery, resendableQuery, resendMatching } from '../../api/webhooks.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { countName } from './words.ts';

/** Resends all matching deliveries, not only the loaded ones, after showing their number. */
export function ResendAll({
  storeId,
  of: { id, isActive },
  filter,
}: {
  storeId: string;
  of: EndpointDetails;
  filter: DeliveryFilter;
}) {
  const { t, language } = useTranslation();
  const queryClient = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure(false);
  const { data, error } = useQuery({ ...resendableQuery(storeId, id, filter), enabled: isOpen });
  const resend = useMutation({
    mutationFn: () => resendMatching(storeId, id, filter),
    onSuccess({ count }) {
      notify(t('webhooks.resentAll', { count }));
      close();
      return queryClient.invalidateQueries({ queryKey: endpointQuery(storeId, id).queryKey });
    },
  });
  const problem = error ?? resend.error;
  return (
    <>
      <Button
        variant="default"
        disabled={!isActive}
        {...(!isActive && { title: t('webhooks.enableFirst') })}
        onClick={() => {
          resend.reset();
          open();
        }}
      >
        {t('webhooks.resendAll')}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={t('webhooks.resendAllTitle')}>
        <Stack>
          {!data ? (
            !error && <Loader type="dots" aria-label={t('common.loading')} role="status" />
          ) : data.count ? (
            <Text size="sm">
              {t('webhooks.resendAllText', { count: countName(data, t, language) as unknown as number })}{' '}
              {data.delivered > 0 && t('webhooks.resendDelivered', { count: data.delivered })}
            </Text>
          ) : (
            <Text size="sm">{t('webhooks.resendNothing')}</Text>
          )}
          <ProblemAlert>{problem ? explain(problem, t) : undefined}</ProblemAlert>
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close} data-autofocus>
              {t('common.cancel')}
            </Button>
            <Button loading={resend.isPending} disabled={!data?.count} onClick={() => resend.mutate()}>
              {t('webhooks.resendAll')}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
