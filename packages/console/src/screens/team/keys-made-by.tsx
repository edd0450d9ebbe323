import { Button, Group, Stack, Text } from '@mantine/core';
import type { Member } from '@store-sales/contract/console';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { keysQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { notify } from '../../shell/notify.tsx';
import { useAction } from '../../shell/use-action.ts';
import { hasEnded } from '../settings-api/key-status.tsx';

/** The working keys that a member made: they may know the secrets. */
export function KeysMadeBy({ storeId, of: member }: { storeId: string; of: Member }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  // Without the plan Optimal there are no keys to see, and none works.
  const { data: keys = [] } = useQuery({ ...keysQuery(storeId), retry: false });
  const revoke = useAction(
    (keyId: string) => call('DELETE /stores/{storeId}/keys/{keyId}', { params: { storeId, keyId } }),
    async ({ name }) => {
      notify(t('team.keyRevoked', { name }));
      await queryClient.invalidateQueries(keysQuery(storeId));
    },
  );
  const made = keys.filter((key) => key.createdBy?.id === member.id && !hasEnded(key));
  if (!made.length) return null;
  return (
    <Stack gap="xs">
      <Text size="sm">{t('team.keysMade', { name: member.name })}</Text>
      {made.map(({ id, name }) => (
        <Group key={id} justify="space-between" wrap="nowrap">
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Button
            variant="default"
            size="xs"
            style={{ flex: 'none' }}
            aria-label={t('team.revokeKeyNamed', { name })}
            loading={revoke.isPending && revoke.variables === id}
            onClick={() => revoke.mutate(id)}
          >
            {t('team.revokeKey')}
          </Button>
        </Group>
      ))}
    </Stack>
  );
}
