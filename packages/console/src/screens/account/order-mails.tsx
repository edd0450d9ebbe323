import { Stack, Switch } from '@mantine/core';
import type { Store } from '@store-sales/contract/console';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { orderMailsQuery, sessionQuery, setOrderMail, storesQuery } from '../../api/account.ts';
import { useTranslation } from '../../i18n/index.ts';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';

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

/** Updates optimistically. */
function StoreSwitch({ store, isOn }: { store: Store; isOn: boolean }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (isWanted: boolean) => setOrderMail(store.id, { isOn: isWanted }),
    onSuccess: (_, isWanted) =>
      queryClient.setQueryData(orderMailsQuery.queryKey, (before) => {
        const others = before?.storeIds.filter((id) => id !== store.id) ?? [];
        return { storeIds: isWanted ? [...others, store.id] : others };
      }),
    onError: (error) => notify(explain(error, t), false),
  });
  return (
    <Switch
      label={t('orderMails.label', { store: store.name })}
      checked={isPending ? variables : isOn}
      onChange={(event) => mutate(event.currentTarget.checked)}
      withThumbIndicator={false}
    />
  );
}
