import { Badge } from '@mantine/core';
import type { Endpoint } from '@store-sales/contract/console';
import { useTranslation } from '../../i18n/index.ts';

const colors = { on: 'teal', failing: 'orange', off: 'gray' } as const;

export function EndpointState({ of: { isActive, failures } }: { of: Endpoint }) {
  const { t } = useTranslation();
  const state = isActive ? (failures > 0 ? 'failing' : 'on') : 'off';
  return (
    <Badge variant="dot" color={colors[state]} fz="xs" style={{ flex: 'none', minWidth: 'max-content' }}>
      {t(`webhooks.status.${state}`)}
    </Badge>
  );
}
