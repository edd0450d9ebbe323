import { ActionIcon, Badge, Box, Button, Group, Stack, Switch, Text } from '@mantine/core';
import type { Invitation, InvitationLink, Member } from '@store-sales/contract/console';
import { IconDots, IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery, storesQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { teamQuery } from '../../api/team.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { useDates } from '../../shell/dates.ts';
import { explain } from '../../shell/explain.ts';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { Menu } from '../../shell/menu.tsx';
import { notify } from '../../shell/notify.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { SecretDialog } from '../../shell/secret-dialog.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { KeysMadeBy } from './keys-made-by.tsx';

const Invite = lazyDialog(() => import('./invite.tsx'));
const ChangeRole = lazyDialog(() => import('./change-role.tsx'));

export function Team() {
  const { t } = useTranslation();
  const store = useStore();
  const queryClient = useQueryClient();
  const team = useQuery(teamQuery(store.id));
  const mayChange = useMay()('changeTeam');
  const [isInviting, setIsInviting] = useState(false);
  /** The link of an invitation that was just made or renewed, to be passed on. */
  const [shown, setShown] = useState<{ email: string; link: string }>();

  function onInvited(email: string, { team: changed, link }: InvitationLink) {
    queryClient.setQueryData(teamQuery(store.id).queryKey, changed);
    setIsInviting(false);
    if (link) setShown({ email, link });
    else notify(t('team.invited', { email }));
  }

  return (
    <Page
      title={t('nav.team')}
      text={t('team.text')}
      action={
        mayChange && (
          <Button leftSection={<IconUserPlus size={18} />} onClick={() => setIsInviting(true)}>
            {t('team.invite')}
          </Button>
        )
      }
    >
      <Loaded query={team}>
        {({ members, invitations }) => (
          <>
            <Panel title={t('team.members')}>
              <Stack gap="lg">
                {members.map((member) => (
                  <MemberRow key={member.id} of={member} mayChange={mayChange} />
                ))}
              </Stack>
            </Panel>
            {mayChange && <SecurityPanel />}
            {invitations.length > 0 && (
              <Panel title={t('team.invitations')}>
                <Stack gap="lg">
                  {invitations.map((invitation) => (
                    <InvitationRow
                      key={invitation.id}
                      of={invitation}
                      mayChange={mayChange}
                      onRenewed={(created) => onInvited(invitation.email, created)}
                    />
                  ))}
                </Stack>
              </Panel>
            )}
          </>
        )}
      </Loaded>
      {isInviting && <Invite storeId={store.id} onInvited={onInvited} onClose={() => setIsInviting(false)} />}
      {shown && (
        <SecretDialog
          title={t('team.linkTitle')}
          texts={[t('team.linkText', { email: shown.email })]}
          fields={[{ label: t('team.link'), value: shown.link, testId: 'link' }]}
          onClose={() => setShown(undefined)}
        />
      )}
    </Page>
  );
}

function SecurityPanel() {
  const { t } = useTranslation();
  const store = useStore();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (isRequired: boolean) =>
      call('PUT /stores/{storeId}/second-factor', { params: { storeId: store.id }, body: { isRequired } }),
    async onSuccess({ requiresSecondFactor }) {
      await queryClient.invalidateQueries(storesQuery);
      notify(t(requiresSecondFactor ? 'team.required' : 'team.notRequired'));
    },
  });
  return (
    <Panel title={t('team.security')}>
      <Stack>
        <ProblemAlert>{error ? explain(error, t) : undefined}</ProblemAlert>
        <Switch
          label={t('team.requireFactor')}
          description={t('team.requireFactorHint')}
          checked={store.requiresSecondFactor}
          disabled={isPending}
          onChange={(event) => mutate(event.currentTarget.checked)}
        />
      </Stack>
    </Panel>
  );
}

function MemberRow({ of: member, mayChange }: { of: Member; mayChange: boolean }) {
  const { t } = useTranslation();
  const { date } = useDates();
  const store = useStore();
  const queryClient = useQueryClient();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const [asked, setAsked] = useState<'role' | 'removal'>();
  const isSelf = member.id === session.account?.id;
  const close = () => setAsked(undefined);

  return (
    <Group justify="space-between" wrap="nowrap" component="article" aria-label={member.name}>
      <Box miw={0}>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {member.name}
          {isSelf && (
            <Text span c="dimmed" fw={400}>
              {` (${t('team.you')})`}
            </Text>
          )}
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {member.email}
        </Text>
        <Text size="sm" c="dimmed">
          {t('team.since', { date: date(member.since) })}
          {` · ${t(member.hasSecondFactor ? 'team.hasFactor' : 'team.noFactor')}`}
        </Text>
      </Box>
      <Group gap="xs" wrap="nowrap" style={{ flex: 'none' }}>
        <RoleBadge of={member} />
        {mayChange && (
          <Menu
            align="end"
            width={220}
            target={
              <ActionIcon size={30} aria-label={t('team.memberMenu', { name: member.name })}>
                <IconDots size={18} />
              </ActionIcon>
            }
          >
            <Menu.Item onClick={() => setAsked('role')}>{t('team.changeRole')}</Menu.Item>
            {/* One leaves a store under Account. */}
            {!isSelf && <Menu.Item onClick={() => setAsked('removal')}>{t('team.remove')}</Menu.Item>}
          </Menu>
        )}
      </Group>
      {asked === 'role' && <ChangeRole storeId={store.id} of={member} onClose={close} />}
      {asked === 'removal' && (
        <Confirm
          title={t('team.removeTitle')}
          text={t('team.removeText', { name: member.name })}
          action={t('team.remove')}
          run={() =>
            call('DELETE /stores/{storeId}/members/{accountId}', {
              params: { storeId: store.id, accountId: member.id },
            })
          }
          onDone={(team) => {
            notify(t('team.removed'));
            queryClient.setQueryData(teamQuery(store.id).queryKey, team);
          }}
          onClose={close}
        >
          <KeysMadeBy storeId={store.id} of={member} />
        </Confirm>
      )}
    </Group>
  );
}

interface InvitationRowProps {
  of: Invitation;
  mayChange: boolean;
  onRenewed(created: InvitationLink): void;
}

function InvitationRow({ of: invitation, mayChange, onRenewed }: InvitationRowProps) {
  const { t } = useTranslation();
  const { date } = useDates();
  const store = useStore();
  const queryClient = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const params = { storeId: store.id, invitationId: invitation.id };
  const renew = useAction(() => call('POST /stores/{storeId}/invitations/{invitationId}/renew', { params }), onRenewed);
  const isExpired = Date.parse(invitation.expiresAt) <= Date.now();

  return (
    <Group justify="space-between" component="article" aria-label={invitation.email}>
      {/* On a phone, the buttons are below. */}
      <Box miw={0} flex="1 1 240px">
        <Group gap="xs">
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {invitation.email}
          </Text>
          <RoleBadge of={invitation} />
        </Group>
        <Text size="sm" c="dimmed">
          {invitation.invitedBy && `${t('team.invitedBy', { name: invitation.invitedBy })} · `}
          {isExpired ? t('team.expired') : t('team.validUntil', { date: date(invitation.expiresAt) })}
        </Text>
      </Box>
      {mayChange && (
        <Group gap="xs">
          <Button variant="default" size="xs" loading={renew.isPending} onClick={() => renew.mutate()}>
            {t('team.renew')}
          </Button>
          <Button variant="default" size="xs" onClick={() => setIsAsked(true)}>
            {t('team.withdraw')}
          </Button>
        </Group>
      )}
      {isAsked && (
        <Confirm
          title={t('team.withdrawTitle')}
          text={t('team.withdrawText', { email: invitation.email })}
          action={t('team.withdraw')}
          run={() => call('DELETE /stores/{storeId}/invitations/{invitationId}', { params })}
          onDone={(team) => {
            notify(t('team.withdrawn'));
            queryClient.setQueryData(teamQuery(store.id).queryKey, team);
          }}
          onClose={() => setIsAsked(false)}
        />
      )}
    </Group>
  );
}

function RoleBadge({ of }: { of: Pick<Member, 'role'> }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color="gray" style={{ flex: 'none' }}>
      {t(`roles.${of.role}`)}
    </Badge>
  );
}
