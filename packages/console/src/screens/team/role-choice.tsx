import { Radio, Stack } from '@mantine/core';
import type { Role } from '@store-sales/contract/console';
import { useTranslation } from '../../i18n/index.ts';

const roles: Role[] = ['manager', 'integrator', 'viewer', 'owner'];

interface RoleChoiceProps {
  value?: Role;
  onChange?(role: Role): void;
}

/** The roles, each with what it may do. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('team.role')}
      {...(value && { value })}
      onChange={(role) => onChange?.(role as Role)}
      data-testid="role"
    >
      <Stack gap="sm" mt="xs">
        {roles.map((role) => (
          <Radio key={role} value={role} label={t(`roles.${role}`)} description={t(`team.roleHints.${role}`)} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
