import { Alert, Box, Button, Divider, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { AddedFactor, SecondFactor as Factors, Passkey } from '@store-sales/contract/console';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { secondFactorQuery } from '../../api/account.ts';
import { canUsePasskeys, removeCodes, removePasskey, renewRecoveryCodes } from '../../api/second-factor.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { useDates } from '../../shell/dates.ts';
import { ErrorState } from '../../shell/error-state.tsx';
import { explain } from '../../shell/explain.ts';
import { late } from '../../shell/late.tsx';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';

const AddPasskey = late(() => import('./add-passkey.tsx'));
const SetUpCodes = late(() => import('./set-up-codes.tsx'));
const RecoveryCodes = late(() => import('./recovery-codes.tsx'));

type Asked =
  | { kind: 'addPasskey' | 'setUpCodes' | 'removeCodes' | 'renew' }
  | { kind: 'removePasskey'; passkey: Passkey };

export function SecondFactor() {
  const { t } = useTranslation();
  const { required } = useSearch({ from: '/signed-in/account' });
  const { data, error, refetch } = useQuery(secondFactorQuery);
  const hasFactor = !!data && (data.passkeys.length > 0 || data.codesSince !== null);
  return (
    <Panel title={t('secondFactor.title')} text={t('secondFactor.text')}>
      <Stack gap="lg">
        {required && data && !hasFactor && <Alert color="orange">{t('secondFactor.required')}</Alert>}
        {data ? (
          <Sections of={data} />
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Skeleton h={120} />
        )}
      </Stack>
    </Panel>
  );
}

function Sections({ of: factors }: { of: Factors }) {
  const { t } = useTranslation();
  const { date } = useDates();
  const queryClient = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  const [recoveryCodes, setRecoveryCodes] = useState<string[]>();
  const count = factors.passkeys.length + (factors.codesSince ? 1 : 0);
  const close = () => setAsked(undefined);

  function onAdded({ secondFactor, recoveryCodes }: AddedFactor, text: string) {
    queryClient.setQueryData(secondFactorQuery.queryKey, secondFactor);
    close();
    notify(text);
    setRecoveryCodes(recoveryCodes ?? undefined);
  }

  return (
    <>
      <Section
        title={t('secondFactor.passkeys')}
        text={t(canUsePasskeys() ? 'secondFactor.passkeysText' : 'secondFactor.passkeysUnavailable')}
        action={
          canUsePasskeys() && (
            <Button variant="default" onClick={() => setAsked({ kind: 'addPasskey' })}>
              {t('secondFactor.addPasskey')}
            </Button>
          )
        }
      >
        {factors.passkeys.map((passkey) => (
          <PasskeyRow key={passkey.id} of={passkey} onRemove={() => setAsked({ kind: 'removePasskey', passkey })} />
        ))}
      </Section>
      <Divider />
      <Section
        title={t('secondFactor.codes')}
        text={
          factors.codesSince
            ? t('secondFactor.codesSince', { date: date(factors.codesSince) })
            : t('secondFactor.codesText')
        }
        action={
          <Group gap="xs">
            <Button variant="default" onClick={() => setAsked({ kind: 'setUpCodes' })}>
              {t(factors.codesSince ? 'secondFactor.replaceCodes' : 'secondFactor.setUpCodes')}
            </Button>
            {factors.codesSince && (
              <Button
                variant="default"
                aria-label={t('secondFactor.removeNamed', { name: t('secondFactor.codes') })}
                onClick={() => setAsked({ kind: 'removeCodes' })}
              >
                {t('secondFactor.remove')}
              </Button>
            )}
          </Group>
        }
      />
      {count > 0 && (
        <>
          <Divider />
          <Section
            title={t('secondFactor.recoveryCodes')}
            text={t('secondFactor.recoveryCodesLeft', { count: factors.recoveryCodesLeft })}
            action={
              <Button variant="default" onClick={() => setAsked({ kind: 'renew' })}>
                {t('secondFactor.renew')}
              </Button>
            }
          />
        </>
      )}
      {asked?.kind === 'addPasskey' && (
        <AddPasskey onAdded={(added) => onAdded(added, t('secondFactor.passkeyAdded'))} onClose={close} />
      )}
      {asked?.kind === 'setUpCodes' && (
        <SetUpCodes onAdded={(added) => onAdded(added, t('secondFactor.codesAdded'))} onClose={close} />
      )}
      <Removal asked={asked} isLast={count === 1} onClose={close} />
      <Renewal isOpen={asked?.kind === 'renew'} onRenewed={setRecoveryCodes} onClose={close} />
      {recoveryCodes && <RecoveryCodes codes={recoveryCodes} onClose={() => setRecoveryCodes(undefined)} />}
    </>
  );
}

interface SectionProps {
  title: string;
  text: string;
  action: ReactNode;
  children?: ReactNode;
}

const Section = ({ title, text, action, children }: SectionProps) => (
  <Stack gap="md">
    <Group justify="space-between" gap="sm">
      <Box miw={0} flex="1 1 240px">
        <Title order={3} fz="sm">
          {title}
        </Title>
        <Text size="sm" c="dimmed">
          {text}
        </Text>
      </Box>
      {action}
    </Group>
    {children}
  </Stack>
);

function PasskeyRow({ of: passkey, onRemove }: { of: Passkey; onRemove(): void }) {
  const { t } = useTranslation();
  const { ago } = useDates();
  return (
    <Group justify="space-between" wrap="nowrap" component="article" aria-label={passkey.name}>
      <Box miw={0}>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {passkey.name}
        </Text>
        <Text size="sm" c="dimmed">
          {passkey.lastUsedAt
            ? t('secondFactor.passkeyUsed', { when: ago(passkey.lastUsedAt) })
            : t('secondFactor.passkeyUnused')}
          {passkey.host !== location.hostname && ` · ${passkey.host}`}
        </Text>
      </Box>
      <Button
        variant="default"
        size="xs"
        aria-label={t('secondFactor.removeNamed', { name: passkey.name })}
        onClick={onRemove}
        style={{ flex: 'none' }}
      >
        {t('secondFactor.remove')}
      </Button>
    </Group>
  );
}

function Removal({ asked, isLast, onClose }: { asked: Asked | undefined; isLast: boolean; onClose(): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const passkey = asked?.kind === 'removePasskey' ? asked.passkey : undefined;
  const remove = useMutation({
    mutationFn: () => (passkey ? removePasskey(passkey.id) : removeCodes()),
    onSuccess(factors) {
      queryClient.setQueryData(secondFactorQuery.queryKey, factors);
      notify(t('secondFactor.removed'));
      onClose();
    },
  });
  const text = passkey
    ? t('secondFactor.removePasskeyText', { name: passkey.name })
    : t('secondFactor.removeCodesText');
  return (
    <Confirm
      isOpen={passkey !== undefined || asked?.kind === 'removeCodes'}
      title={t(passkey ? 'secondFactor.removePasskeyTitle' : 'secondFactor.removeCodesTitle')}
      text={isLast ? `${text} ${t('secondFactor.lastText')}` : text}
      action={t('secondFactor.remove')}
      isBusy={remove.isPending}
      problem={remove.error ? explain(remove.error, t) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={() => {
        remove.reset();
        onClose();
      }}
    />
  );
}

interface RenewalProps {
  isOpen: boolean;
  onRenewed(codes: string[]): void;
  onClose(): void;
}

function Renewal({ isOpen, onRenewed, onClose }: RenewalProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const renew = useMutation({
    mutationFn: renewRecoveryCodes,
    onSuccess({ recoveryCodes }) {
      onClose();
      onRenewed(recoveryCodes);
      return queryClient.invalidateQueries(secondFactorQuery);
    },
  });
  return (
    <Confirm
      isOpen={isOpen}
      title={t('secondFactor.renewTitle')}
      text={t('secondFactor.renewText')}
      action={t('secondFactor.renew')}
      isBusy={renew.isPending}
      problem={renew.error ? explain(renew.error, t) : undefined}
      onConfirm={() => renew.mutate()}
      onClose={() => {
        renew.reset();
        onClose();
      }}
    />
  );
}
