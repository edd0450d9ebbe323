import { Button, FileButton, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import classes from './drop-zone.module.css';

/** A drop target for a file, with a button that opens the file dialog. */
export function DropZone({ onFile }: { onFile(file: File): void }) {
  const { t } = useTranslation();
  const [isDragOver, setDragOver] = useState(false);
  const over = (event: DragEvent, isIt: boolean) => {
    event.preventDefault();
    setDragOver(isIt);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for the keyboard
    <div
      className={classes.zone}
      data-over={isDragOver}
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false);
        const [file] = event.dataTransfer.files;
        if (file) onFile(file);
      }}
    >
      <Stack align="center" gap="xs">
        <ThemeIcon variant="light" size={52} radius="xl" mb="xs">
          <IconFileTypeCsv size={26} stroke={1.6} />
        </ThemeIcon>
        <FileButton onChange={(file) => file && onFile(file)} accept=".csv,.txt,.xls,.xlsx,text/csv">
          {(props) => <Button {...props}>{t('importPage.choose')}</Button>}
        </FileButton>
        <Text size="sm">{t('importPage.drop')}</Text>
        <Text size="sm" c="dimmed" ta="center" maw={440}>
          {t('importPage.limits')}
        </Text>
      </Stack>
    </div>
  );
}
