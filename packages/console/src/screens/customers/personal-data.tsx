import { Button, Group, Text } from '@mantine/core';
import type { Customer } from '@store-sales/contract';
import { IconDownload, IconEraser } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call, urlOf } from '../../api/client.ts';
import { updateCachedCustomer } from '../../api/customers.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';
import { useStore } from '../../shell/use-store.ts';

/** What the owner does when a customer asks for their data. */
export function PersonalData({ of }: { of: Customer }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const [isAsked, setIsAsked] = useState(false);
  const params = { storeId, customerId: of.id };
  return (
    <Panel title={t('customers.personalData')}>
      <Text size="sm" mb="md">
        {t('customers.personalDataText')}
      </Text>
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={<IconDownload size={18} />}
          renderRoot={(props) => (
            <a
              {...props}
              download
              href={urlOf('GET /stores/{storeId}/customers/{customerId}/personal-data', { params })}
            />
          )}
        >
          {t('customers.exportData')}
        </Button>
        <Button variant="default" leftSection={<IconEraser size={18} />} onClick={() => setIsAsked(true)}>
          {t('customers.erase')}
        </Button>
      </Group>
      {isAsked && (
        <Confirm
          title={t('customers.eraseTitle')}
          text={t('customers.eraseText', { name: of.name || of.phone || of.email || t('customers.nameless') })}
          action={t('customers.eraseAction')}
          run={() => call('DELETE /stores/{storeId}/customers/{customerId}/personal-data', { params })}
          onDone={(customer) => {
            updateCachedCustomer(queryClient, storeId, customer);
            notify(t('customers.erased'));
            // Orders show their customer too.
            return queryClient.invalidateQueries({ queryKey: [{ storeId }] });
          }}
          onClose={() => setIsAsked(false)}
        />
      )}
    </Panel>
  );
}
