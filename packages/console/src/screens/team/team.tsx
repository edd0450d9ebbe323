import { ActionIcon, Badge, Box, Button, Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import type { Invitation, InvitationLink, Member } from '@store-sales/contract/console';
import { IconDots, IconUserPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sessionQuery, storesQuery } from '../../api/account.ts';
import { removeMember, renewInvitation, requireSecondFactor, teamQuery, withdrawInvitation } from '../../api/team.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { useDates } from '../../shell/dates.ts';
import { ErrorState } from '../../shell/error-state.tsx';
import { explain } from '../../shell/explain.ts';
import { late } from '../../shell/late.tsx';
import { Menu } from '../../shell/menu.tsx';
import { notify } from '../../shell/notify.tsx';
import { Page } from '../../shell/page.tsx';
import { Panel } from '../../shell/panel.tsx';
import { ProblemAlert } from '../../shell/problem-alert.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import type { ShownLink } from './invite.tsx';

const Invite = late(() => import('./invite.tsx'));
const ChangeRole = late(() => import('./change-role.tsx'));

export function Team() {
  const { t } = useTranslation();
  const store = useStore();
  const queryClient = useQueryClient();
  const team = useQuery(teamQuery(store.id));
  const mayChange = useMay()('changeTeam');
  const [isInviting, setIsInviting] = useState(false);
  const [shown, setShown] = useState<ShownLink>();

  function onInvited(email: string, { team: changed, link }: InvitationLink) {
    queryClient.setQueryData(teamQuery(store.id).queryKey, changed);
    if (link) return setShown({ email, link });
    setIsInviting(false);
    notify(t('team.invited', { email }));
  }

  return (
    <Page
      title={t('team.title')}
      text={t('team.text')}
      action={
        mayChange && (
          <Button leftSection={<IconUserPlus size={18} />} onClick={() => setIsInviting(true)}>
            {t('team.invite')}
          </Button>
        )
      }
    >
      {team.error && !team.data ? (
        <ErrorState error={team.error} onRetry={() => void team.refetch()} />
      ) : (
        <Stack gap="lg">
          <Panel title={t('team.members')}>
            <Stack gap="lg">
              {team.data ? (
                team.data.members.map((member) => <MemberRow key={member.id} of={member} mayChange={mayChange} />)
              ) : (
                <Skeleton h={44} />
              )}
            </Stack>
          </Panel>
          {mayChange && <SecurityPanel />}
          {!!team.data?.invitations.length && (
            <Panel title={t('team.invitations')}>
              <Stack gap="lg">
                {team.data.invitations.map((invitation) => (
                  <InvitationRow
                    key={invitation.id}
                    of={invitation}
                    mayChange={mayChange}
                    onRenewed={(created) => {
                      onInvited(invitation.email, created);
                      if (created.link) setIsInviting(true);
                    }}
                  />
                ))}
              </Stack>
            </Panel>
          )}
        </Stack>
      )}
      {isInviting && (
        <Invite
          storeId={store.id}
          isOpen
          shown={shown}
          onInvited={onInvited}
          onClose={() => {
            setShown(undefined);
            setIsInviting(false);
          }}
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
    mutationFn: (isRequired: boolean) => requireSecondFactor(store.id, isRequired),
    async onSuccess({ requiresSecondFactor }) {
      await queryClient.invalidateQueries({ ...storesQuery, exact: true });
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
  const remove = useMutation({
    mutationFn: () => removeMember(store.id, member.id),
    onSuccess(team) {
      close();
      notify(t('team.removed'));
      queryClient.setQueryData(teamQuery(store.id).queryKey, team);
    },
  });

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
              <ActionIcon
                variant="subtle"
                color="gray"
                c="dimmed"
                size={30}
                aria-label={t('team.memberMenu', { name: member.name })}
              >
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
      <Confirm
        isOpen={asked === 'removal'}
        title={t('team.removeTitle')}
        text={t('team.removeText', { name: member.name })}
        action={t('team.remove')}
        isBusy={remove.isPending}
        problem={remove.error ? explain(remove.error, t) : undefined}
        onConfirm={() => remove.mutate()}
        onClose={() => {
          remove.reset();
          close();
        }}
      />
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
  const renew = useMutation({
    mutationFn: () => renewInvitation(store.id, invitation.id),
    onSuccess: onRenewed,
    onError: (error) => notify(explain(error, t), false),
  });
  const withdraw = useMutation({
    mutationFn: () => withdrawInvitation(store.id, invitation.id),
    onSuccess(team) {
      notify(t('team.withdrawn'));
      queryClient.setQueryData(teamQuery(store.id).queryKey, team);
    },
  });
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
      <Confirm
        isOpen={isAsked}
        title={t('team.withdrawTitle')}
        text={t('team.withdrawText', { email: invitation.email })}
        action={t('team.withdraw')}
        isBusy={withdraw.isPending}
        problem={withdraw.error ? explain(withdraw.error, t) : undefined}
        onConfirm={() => withdraw.mutate()}
        onClose={() => setIsAsked(false)}
      />
    </Group>
  );
}

function RoleBadge({ of }: { of: Pick<Member, 'role'> }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color="gray" tt="none" fw={500} style={{ flex: 'none' }}>
      {t(`roles.${of.role}`)}
    </Badge>
  );
}
