import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { Menu } from '../../shell/menu.tsx';

export function RecordMenu({ name, children }: { name: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Menu
      align="end"
      width={190}
      target={
        <ActionIcon size={30} aria-label={t('common.more', { name })}>
          <IconDots size={18} />
        </ActionIcon>
      }
    >
      {children}
    </Menu>
  );
}
