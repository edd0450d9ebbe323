import { Box, Button, Center, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ApiKey } from '@store-sales/contract/console';
import { useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useDates } from '../../shell/dates.ts';
import { LinkButton } from '../../shell/link.tsx';
import { Table } from '../../shell/table.tsx';
import { useMay } from '../../shell/use-may.ts';
import { hasEnded, KeyStatus } from './key-status.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { describeRights } from './rights.ts';

/** A table on wide screens, cards on a phone. */
export function KeyList({ storeId, keys }: { storeId: string; keys: ApiKey[] }) {
  const { t } = useTranslation();
  const [revoking, setRevoking] = useState<ApiKey>();
  const [showsEnded, setShowsEnded] = useState(false);
  const ended = keys.filter(hasEnded);
  // If all keys have ended, show them.
  const isAll = showsEnded || ended.length === keys.length;
  const visibleKeys = isAll ? keys : keys.filter((key) => !hasEnded(key));

  return (
    <Box>
      <Box className="panel" visibleFrom="md" style={{ overflow: 'hidden' }}>
        <KeyTable storeId={storeId} keys={visibleKeys} onRevoke={setRevoking} />
      </Box>
      <Stack hiddenFrom="md" gap="sm">
        {visibleKeys.map((key) => (
          <KeyCard key={key.id} storeId={storeId} of={key} onRevoke={setRevoking} />
        ))}
      </Stack>
      {ended.length > 0 && ended.length < keys.length && (
        <Center mt="md">
          <Button variant="subtle" color="gray" c="dimmed" size="sm" onClick={() => setShowsEnded(!showsEnded)}>
            {showsEnded ? t('keys.hideEnded') : t('keys.showEnded', { count: ended.length })}
          </Button>
        </Center>
      )}
      {revoking && <RevokeKey storeId={storeId} of={revoking} onClose={() => setRevoking(undefined)} />}
    </Box>
  );
}

interface Actions {
  storeId: string;
  onRevoke(key: ApiKey): void;
}

function KeyTable({ storeId, keys, onRevoke }: { keys: ApiKey[] } & Actions) {
  const { t } = useTranslation();
  const { date, dateTime, ago } = useDates();
  return (
    <Table aria-label={t('nav.apiKeys')}>
      <thead>
        <tr>
          <Table.Th>{t('keys.name')}</Table.Th>
          <Table.Th>{t('keys.rights')}</Table.Th>
          <Table.Th>{t('keys.createdAt')}</Table.Th>
          <Table.Th>{t('keys.expiresAt')}</Table.Th>
          <Table.Th>{t('keys.lastUsedAt')}</Table.Th>
          <Table.Th>{t('keys.status')}</Table.Th>
          <Table.Th>
            <VisuallyHidden>{t('keys.actions')}</VisuallyHidden>
          </Table.Th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.id} style={{ verticalAlign: 'top' }}>
            <Table.Td>
              <Text size="sm" fw={500}>
                {key.name}
              </Text>
              <Prefix of={key} />
            </Table.Td>
            <Table.Td>
              <Rights of={key} />
            </Table.Td>
            <Table.Td title={dateTime(key.createdAt)} style={{ whiteSpace: 'nowrap' }}>
              {date(key.createdAt)}
              <Maker of={key} />
            </Table.Td>
            <Table.Td title={dateTime(key.expiresAt)} style={{ whiteSpace: 'nowrap' }}>
              {date(key.expiresAt)}
            </Table.Td>
            <Table.Td {...(key.lastUsedAt && { title: dateTime(key.lastUsedAt) })}>
              {key.lastUsedAt ? ago(key.lastUsedAt) : t('common.never')}
            </Table.Td>
            <Table.Td>
              <KeyStatus of={key} />
            </Table.Td>
            <Table.Td ta="right" py={6}>
              <Group gap={6} justify="flex-end" wrap="nowrap">
                <RequestsLink storeId={storeId} of={key} />
                <RevokeButton of={key} onRevoke={onRevoke} />
              </Group>
            </Table.Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function KeyCard({ storeId, of: key, onRevoke }: { of: ApiKey } & Actions) {
  const { t } = useTranslation();
  const { date, ago } = useDates();
  return (
    <Box className="panel" p="md" component="article" aria-label={key.name}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <Box miw={0}>
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {key.name}
          </Text>
          <Prefix of={key} />
        </Box>
        <KeyStatus of={key} />
      </Group>
      <Box my="sm">
        <Rights of={key} />
      </Box>
      <Group justify="space-between" align="flex-end" gap="sm">
        <Text size="sm" c="dimmed">
          {t('keys.createdAt')}: {date(key.createdAt)}
          {key.createdBy && ` (${t('keys.createdBy', { name: key.createdBy.name })})`}
          <br />
          {t('keys.expiresAt')}: {date(key.expiresAt)}
          <br />
          {t('keys.lastUsedAt')}: {key.lastUsedAt ? ago(key.lastUsedAt) : t('common.never')}
        </Text>
        <Group gap={6}>
          <RequestsLink storeId={storeId} of={key} />
          <RevokeButton of={key} onRevoke={onRevoke} />
        </Group>
      </Group>
    </Box>
  );
}

const Prefix = ({ of }: { of: ApiKey }) => (
  <Text className="code-text" c="dimmed">
    {of.prefix}…
  </Text>
);

function Maker({ of: { createdBy } }: { of: ApiKey }) {
  const { t } = useTranslation();
  if (!createdBy) return null;
  return (
    <Text size="xs" c="dimmed" maw={160} truncate>
      {t('keys.createdBy', { name: createdBy.name })}
    </Text>
  );
}

function Rights({ of }: { of: ApiKey }) {
  const { t } = useTranslation();
  return describeRights(of.rights, t).map((text) => (
    <Text size="sm" key={text}>
      {text}
    </Text>
  ));
}

function RequestsLink({ storeId, of: key }: { storeId: string; of: ApiKey }) {
  const { t } = useTranslation();
  return (
    <LinkButton
      variant="default"
      size="xs"
      aria-label={t('keys.requestsNamed', { name: key.name })}
      to="/stores/$storeId/settings/requests"
      params={{ storeId }}
      search={{ key: key.id }}
    >
      {t('keys.requests')}
    </LinkButton>
  );
}

function RevokeButton({ of: key, onRevoke }: { of: ApiKey } & Omit<Actions, 'storeId'>) {
  const { t } = useTranslation();
  const may = useMay();
  if (hasEnded(key) || !may('changeKeys')) return null;
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={t('keys.revokeNamed', { name: key.name })}
      onClick={() => onRevoke(key)}
    >
      {t('keys.revoke')}
    </Button>
  );
}
