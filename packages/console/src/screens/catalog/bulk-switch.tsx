import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { reloadProducts } from '../../api/catalog.ts';
import { call } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { notify } from '../../shell/notify.tsx';
import { useAction } from '../../shell/use-action.ts';
import { useStore } from '../../shell/use-store.ts';

/** Switches the selected products on or off. */
export function BulkSwitch({ ids, onDone }: { ids: readonly string[]; onDone(): void }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useAction(
    (isActive: boolean) =>
      call('PATCH /stores/{storeId}/products', { params: { storeId }, body: { ids: [...ids], isActive } }),
    ({ changed }) => {
      reloadProducts(queryClient, storeId);
      notify(t('catalog.switched', { count: changed }));
      onDone();
    },
  );
  return (
    <Group className="panel" role="region" aria-label={t('catalog.selection')} px="md" py="xs" gap="sm">
      <Text size="sm" fw={500} aria-live="polite">
        {t('catalog.selected', { count: ids.length })}
      </Text>
      {([true, false] as const).map((isActive) => (
        <Button
          key={String(isActive)}
          variant="default"
          size="xs"
          loading={isPending && variables === isActive}
          disabled={isPending}
          onClick={() => mutate(isActive)}
        >
          {t(isActive ? 'catalog.switchOn' : 'catalog.switchOff')}
        </Button>
      ))}
      <Button variant="subtle" size="xs" onClick={onDone}>
        {t('catalog.clearSelection')}
      </Button>
    </Group>
  );
}
