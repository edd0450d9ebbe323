import { Badge, Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SignedInBrowser } from '@store-sales/contract/console';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { browsersQuery, signOutBrowser, signOutEverywhere } from '../../api/account.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { useDates } from '../../shell/dates.ts';
import { ErrorState } from '../../shell/error-state.tsx';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';
import { useSignOut } from '../../shell/use-sign-out.ts';
import { browserName } from './browser-name.ts';

export function Browsers() {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(browsersQuery);
  const [isConfirming, { open, close }] = useDisclosure(false);
  const everywhere = useMutation({ mutationFn: useSignOut(signOutEverywhere) });

  return (
    <Panel
      title={t('account.sessions')}
      text={t('account.sessionsText')}
      action={
        <Button variant="default" onClick={open}>
          {t('account.everywhere')}
        </Button>
      }
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="lg">
          {data ? data.map((browser) => <Row key={browser.id} of={browser} />) : <Skeleton h={44} />}
        </Stack>
      )}
      <Confirm
        isOpen={isConfirming}
        title={t('account.everywhereTitle')}
        text={t('account.everywhereText')}
        action={t('account.everywhere')}
        isBusy={everywhere.isPending}
        problem={everywhere.error ? explain(everywhere.error, t) : undefined}
        onConfirm={() => everywhere.mutate()}
        onClose={close}
      />
    </Panel>
  );
}

function Row({ of: browser }: { of: SignedInBrowser }) {
  const { t } = useTranslation();
  const { ago, dateTime } = useDates();
  const queryClient = useQueryClient();
  const name = browserName(browser.userAgent, t);
  const { mutate, isPending } = useMutation({
    mutationFn: () => signOutBrowser(browser.id),
    onSuccess: () => notify(t('account.signedOutOne')),
    onError: (error) => notify(explain(error, t), false),
    onSettled: () => queryClient.invalidateQueries(browsersQuery),
  });
  return (
    <Group justify="space-between" wrap="nowrap">
      <Box miw={0}>
        <Group gap="xs">
          <Text fw={500}>{name}</Text>
          {browser.isCurrent && (
            <Badge variant="dot" color="teal" tt="none" fw={500}>
              {t('account.thisBrowser')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {t('account.lastSeen', { when: ago(browser.lastSeenAt) })}
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {browser.address
            ? t('secondFactor.signedInFrom', { when: dateTime(browser.createdAt), address: browser.address })
            : t('secondFactor.signedIn', { when: dateTime(browser.createdAt) })}
        </Text>
      </Box>
      {!browser.isCurrent && (
        <Button
          variant="default"
          size="xs"
          loading={isPending}
          onClick={() => mutate()}
          aria-label={t('account.signOutNamed', { name })}
          style={{ flex: 'none' }}
        >
          {t('account.signOutOne')}
        </Button>
      )}
    </Group>
  );
}
