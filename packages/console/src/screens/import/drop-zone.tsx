import { Button, FileButton, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconFileTypeCsv } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './drop-zone.module.css';

/** A place to drop a file, with a button for those who would rather choose it. */
export function DropZone({ onFile }: { onFile(file: File): void }) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent, isIt: boolean) => {
    event.preventDefault();
    setOver(isIt);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for the keyboard
    <div
      className={classes.zone}
      data-over={isOver}
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
        <FileButton onChange={(file) => file && onFile(file)} accept=".csv,text/csv">
          {(props) => <Button {...props}>{t('catalog.files.choose')}</Button>}
        </FileButton>
        <Text size="sm">{t('catalog.files.drop')}</Text>
        <Text size="sm" c="dimmed" ta="center" maw={440}>
          {t('catalog.files.limits')}
        </Text>
      </Stack>
    </div>
  );
}
