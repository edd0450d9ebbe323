import { Stack } from '@mantine/core';
import type { Store } from '@store-sales/contract/console';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { orderMailsQuery, sessionQuery, storesQuery } from '../../api/account.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Panel } from '../../shell/panel.tsx';
import { SavedSwitch } from '../../shell/saved-switch.tsx';

/** In a file of its own, because it is shown only if the service sends mails. */
export default function OrderMails() {
  const { t } = useTranslation();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const { data: stores } = useSuspenseQuery(storesQuery);
  const { data: mails } = useSuspenseQuery(orderMailsQuery);
  if (!stores.length) return null;
  return (
    <Panel title={t('orderMails.title')} text={t('orderMails.text', { email: session.account?.email ?? '' })}>
      <Stack>
        {stores.map((store) => (
          <StoreSwitch key={store.id} store={store} isOn={mails.storeIds.includes(store.id)} />
        ))}
      </Stack>
    </Panel>
  );
}

function StoreSwitch({ store, isOn }: { store: Store; isOn: boolean }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return (
    <SavedSwitch
      label={t('orderMails.label', { store: store.name })}
      checked={isOn}
      save={(isWanted) =>
        call('PUT /stores/{storeId}/order-mail', { params: { storeId: store.id }, body: { isOn: isWanted } })
      }
      onSaved={(_, isWanted) =>
        queryClient.setQueryData(orderMailsQuery.queryKey, (before) => {
          const others = before?.storeIds.filter((id) => id !== store.id) ?? [];
          return { storeIds: isWanted ? [...others, store.id] : others };
        })
      }
    />
  );
}
