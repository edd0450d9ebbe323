import { Badge } from '@mantine/core';
import type { ApiKey } from '@store-sales/contract/console';
import { useTranslation } from '../../i18n/index.ts';

const SOON = 14 * 86_400_000;

const colors = { active: 'teal', expiring: 'orange', expired: 'gray', revoked: 'gray' } as const;

export type KeyState = keyof typeof colors;

export function stateOf({ revokedAt, expiresAt }: ApiKey, now = Date.now()): KeyState {
  if (revokedAt) return 'revoked';
  const left = Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  return left < SOON ? 'expiring' : 'active';
}

export const hasEnded = (key: ApiKey) => ['expired', 'revoked'].includes(stateOf(key));

export function KeyStatus({ of }: { of: ApiKey }) {
  const { t } = useTranslation();
  const state = stateOf(of);
  return (
    <Badge variant="dot" color={colors[state]} fz="xs" style={{ flex: 'none', minWidth: 'max-content' }}>
      {t(`keys.${state}`)}
    </Badge>
  );
}
