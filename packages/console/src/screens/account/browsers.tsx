import { Badge, Box, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SignedInBrowser } from '@store-sales/contract/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { browsersQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { useDates } from '../../shell/dates.ts';
import { Loaded } from '../../shell/loaded.tsx';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useSignOut } from '../../shell/use-sign-out.ts';
import { browserName } from './browser-name.ts';

export function Browsers() {
  const { t } = useTranslation();
  const browsers = useQuery(browsersQuery);
  const [isConfirming, { open, close }] = useDisclosure(false);
  const signOut = useSignOut(() => call('DELETE /sessions'));

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
      <Loaded query={browsers} pending={<Skeleton h={44} />}>
        {(data) => (
          <Stack gap="lg">
            {data.map((browser) => (
              <Row key={browser.id} of={browser} />
            ))}
          </Stack>
        )}
      </Loaded>
      {isConfirming && (
        <Confirm
          title={t('account.everywhereTitle')}
          text={t('account.everywhereText')}
          action={t('account.everywhere')}
          run={signOut}
          onClose={close}
        />
      )}
    </Panel>
  );
}

function Row({ of: browser }: { of: SignedInBrowser }) {
  const { t } = useTranslation();
  const { ago, dateTime } = useDates();
  const queryClient = useQueryClient();
  const name = browserName(browser.userAgent, t);
  const { mutate, isPending } = useAction(
    () => call('DELETE /sessions/{sessionId}', { params: { sessionId: browser.id } }),
    () => {
      notify(t('account.signedOutOne'));
      return queryClient.invalidateQueries(browsersQuery);
    },
  );
  return (
    <Group justify="space-between" wrap="nowrap">
      <Box miw={0}>
        <Group gap="xs">
          <Text fw={500}>{name}</Text>
          {browser.isCurrent && (
            <Badge variant="dot" color="teal">
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
