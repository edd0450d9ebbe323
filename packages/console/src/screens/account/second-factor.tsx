import { Alert, Box, Button, Divider, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { AddedFactor, SecondFactor as Factors, Passkey } from '@store-sales/contract/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { secondFactorQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { canUsePasskeys } from '../../api/second-factor.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { useDates } from '../../shell/dates.ts';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';

const AddPasskey = lazyDialog(() => import('./add-passkey.tsx'));
const SetUpCodes = lazyDialog(() => import('./set-up-codes.tsx'));
const RecoveryCodes = lazyDialog(() => import('./recovery-codes.tsx'));

type Asked =
  | { kind: 'addPasskey' | 'setUpCodes' | 'removeCodes' | 'renew' }
  | { kind: 'removePasskey'; passkey: Passkey };

export function SecondFactor() {
  const { t } = useTranslation();
  const { required } = useSearch({ from: '/signed-in/account' });
  const factors = useQuery(secondFactorQuery);
  const { data } = factors;
  const hasFactor = !!data && (data.passkeys.length > 0 || data.codesSince !== null);
  return (
    <Panel title={t('secondFactor.title')} text={t('secondFactor.text')}>
      <Stack gap="lg">
        {required && data && !hasFactor && <Alert color="orange">{t('secondFactor.required')}</Alert>}
        <Loaded query={factors} pending={<Skeleton h={120} />}>
          {(of) => <Sections of={of} />}
        </Loaded>
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
      {(asked?.kind === 'removePasskey' || asked?.kind === 'removeCodes') && (
        <Removal of={asked.kind === 'removePasskey' ? asked.passkey : undefined} isLast={count === 1} onClose={close} />
      )}
      {asked?.kind === 'renew' && (
        <Confirm
          title={t('secondFactor.renewTitle')}
          text={t('secondFactor.renewText')}
          action={t('secondFactor.renew')}
          run={() => call('POST /second-factor/recovery-codes')}
          onDone={(renewed) => {
            setRecoveryCodes(renewed.recoveryCodes);
            return queryClient.invalidateQueries(secondFactorQuery);
          }}
          onClose={close}
        />
      )}
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

/** Of a passkey, or else of the codes. */
function Removal({ of: passkey, isLast, onClose }: { of: Passkey | undefined; isLast: boolean; onClose(): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const text = passkey
    ? t('secondFactor.removePasskeyText', { name: passkey.name })
    : t('secondFactor.removeCodesText');
  return (
    <Confirm
      title={t(passkey ? 'secondFactor.removePasskeyTitle' : 'secondFactor.removeCodesTitle')}
      text={isLast ? `${text} ${t('secondFactor.lastText')}` : text}
      action={t('secondFactor.remove')}
      run={() =>
        passkey
          ? call('DELETE /second-factor/passkeys/{passkeyId}', { params: { passkeyId: passkey.id } })
          : call('DELETE /second-factor/codes')
      }
      onDone={(factors) => {
        queryClient.setQueryData(secondFactorQuery.queryKey, factors);
        notify(t('secondFactor.removed'));
      }}
      onClose={onClose}
    />
  );
}
