import { Button, Group, Stack, Text } from '@mantine/core';
import type { Store } from '@store-sales/contract/console';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { storesQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';

/** The stores of the person, and how to leave one. */
export function Stores() {
  const { t } = useTranslation();
  const { data: stores } = useSuspenseQuery(storesQuery);
  if (!stores.length) return null;
  return (
    <Panel title={t('nav.yourStores')}>
      <Stack gap="lg">
        {stores.map((store) => (
          <Membership key={store.id} of={store} />
        ))}
      </Stack>
    </Panel>
  );
}

function Membership({ of: store }: { of: Store }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);

  return (
    <Group justify="space-between" wrap="nowrap" component="article" aria-label={store.name}>
      <div>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {store.name}
        </Text>
        <Text size="sm" c="dimmed">
          {t(`roles.${store.role}`)}
        </Text>
      </div>
      <Button variant="default" size="xs" flex="none" onClick={() => setIsAsked(true)}>
        {t('team.leave')}
      </Button>
      {isAsked && (
        <Confirm
          title={t('team.leaveTitle')}
          text={t('team.leaveText', { store: store.name })}
          action={t('team.leave')}
          run={() => call('DELETE /stores/{storeId}/membership', { params: { storeId: store.id } })}
          onDone={() => {
            notify(t('team.left', { store: store.name }));
            return queryClient.invalidateQueries(storesQuery);
          }}
          onClose={() => setIsAsked(false)}
        />
      )}
    </Group>
  );
}
