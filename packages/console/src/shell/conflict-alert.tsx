import { Alert, Text } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useTranslation } from '../i18n/index.ts';
import type { OtherChange } from './conflict.ts';

export interface ConflictAlertProps {
  /** Undefined: there was no conflict. */
  changes: OtherChange[] | undefined;
  labelOf(field: string): string;
  /** For fields whose values mean nothing to a reader. */
  textOf?(field: string, value: string): string;
}

/** What someone else saved while this form was open. */
export function ConflictAlert({ changes, labelOf, textOf = (_, value) => value }: ConflictAlertProps) {
  const { t } = useTranslation();
  if (!changes) return null;
  return (
    <Alert variant="default" icon={<IconAlertCircle size={18} />} title={t('conflict.title')} role="alert">
      <ul style={{ margin: 0, paddingLeft: '1.2em', overflowWrap: 'anywhere' }}>
        {changes.map(({ field, theirs, mine }) => (
          <li key={field}>
            {labelOf(field)}: <b>{textOf(field, theirs) || t('conflict.empty')}</b>
            {mine !== undefined && ` (${t('conflict.yours', { value: textOf(field, mine) || t('conflict.empty') })})`}
          </li>
        ))}
      </ul>
      <Text size="sm" mt="xs">
        {t('conflict.text')}
      </Text>
    </Alert>
  );
}
