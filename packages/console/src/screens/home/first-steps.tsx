import { Button, Group, Stack, Text } from '@mantine/core';
import type { Home, SetupStep } from '@store-sales/contract/console';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useTranslation } from '../../i18n/index.ts';
import type { Ability } from '../../shell/abilities.ts';
import { TextLink } from '../../shell/link.tsx';
import { Panel } from '../../shell/panel.tsx';

const targets = {
  product: '/stores/$storeId/catalog/products',
  order: '/stores/$storeId/orders/new',
  shop: '/stores/$storeId/settings/shop',
  key: '/stores/$storeId/settings/api-keys',
  endpoint: '/stores/$storeId/settings/webhooks',
} as const satisfies Record<SetupStep, string>;

/** What a step needs. */
export const stepAbilities: Record<SetupStep, Ability> = {
  product: 'changeCatalog',
  order: 'changeOrders',
  shop: 'changeShop',
  key: 'changeKeys',
  endpoint: 'changeWebhooks',
};

interface FirstStepsProps {
  storeId: string;
  steps: NonNullable<Home['setup']>;
  onDismiss(): void;
}

/** What a new store needs, until it has an order. */
export function FirstSteps({ storeId, steps, onDismiss }: FirstStepsProps) {
  const { t } = useTranslation();
  const action = (
    <Button variant="default" size="xs" onClick={onDismiss}>
      {t('home.setup.dismiss')}
    </Button>
  );
  return (
    <Panel title={t('home.setup.title')} text={t('home.setup.text')} action={action}>
      <Stack gap="md" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(({ step, isDone }) => (
          <Group key={step} component="li" gap="sm" wrap="nowrap" align="flex-start">
            {isDone ? (
              <IconCircleCheck size={20} color="var(--mantine-color-teal-6)" role="img" aria-label={t('common.done')} />
            ) : (
              <IconCircle size={20} color="var(--mantine-color-dimmed)" role="img" aria-label={t('home.setup.open')} />
            )}
            <div>
              <TextLink size="sm" fw={500} to={targets[step]} params={{ storeId }}>
                {t(`home.setup.${step}`)}
              </TextLink>
              <Text size="sm" c="dimmed">
                {t(`home.setup.${step}Text`)}
              </Text>
            </div>
          </Group>
        ))}
      </Stack>
    </Panel>
  );
}
