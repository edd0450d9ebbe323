import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { useTranslation } from '../i18n/index.ts';

/** A password field with an accessible visibility toggle. */
export function SecretInput(props: PasswordInputProps) {
  const { t } = useTranslation();
  return <PasswordInput visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }} {...props} />;
}
