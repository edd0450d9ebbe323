import { ActionIcon, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { pictureTypes } from '@store-sales/contract/values';
import { IconCamera, IconPhotoPlus, IconRefresh, IconX } from '@tabler/icons-react';
import { type ChangeEvent, type DragEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { type Translate, useTranslation } from '../i18n/index.ts';
import type { LazyTexts } from '../i18n/lazy-texts.ts';
import { explain } from './explain.ts';
import classes from './picture-drop.module.css';
import type { PictureUpload, PictureUploads } from './use-picture-uploads.ts';

interface PictureDropProps {
  uploads: PictureUploads;
  choose: string;
  hint: string;
  isMultiple?: boolean;
  isDisabled?: boolean;
  /** Takes pictures from the clipboard wherever the page is pasted into. */
  isPasteTarget?: boolean;
  /** What was uploaded. */
  children?: ReactNode;
}

/** Takes pictures that are chosen, dropped, pasted or photographed, and shows how their uploads go. */
export function PictureDrop(props: PictureDropProps) {
  const { uploads, choose, hint, isMultiple = false, isDisabled = false, isPasteTarget = false, children } = props;
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const camera = useRef<HTMLInputElement>(null);
  const add = (files: FileList | null | undefined) => {
    const all = [...(files ?? [])];
    if (!isDisabled) uploads.add(isMultiple ? all : all.slice(0, 1));
  };
  const paste = useEffectEvent((event: ClipboardEvent) => {
    if (!event.clipboardData?.files.length) return;
    event.preventDefault();
    add(event.clipboardData.files);
  });
  useEffect(() => {
    if (!isPasteTarget) return;
    const onPaste = (event: ClipboardEvent) => paste(event);
    addEventListener('paste', onPaste);
    return () => removeEventListener('paste', onPaste);
  }, [isPasteTarget]);
  const isOfFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');
  const over = (event: DragEvent, isIt: boolean) => {
    if (!isOfFiles(event)) return;
    event.preventDefault();
    setOver(isIt);
  };
  const onChange = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    add(currentTarget.files);
    // The same file can be chosen again.
    currentTarget.value = '';
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
        if (isOfFiles(event)) add(event.dataTransfer.files);
      }}
    >
      <Stack gap="sm">
        {children}
        <UploadList uploads={uploads} />
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconPhotoPlus size={18} />}
            disabled={isDisabled}
            onClick={() => chooser.current?.click()}
          >
            {choose}
          </Button>
          <Button
            className={classes.camera}
            variant="default"
            leftSection={<IconCamera size={18} />}
            disabled={isDisabled}
            onClick={() => camera.current?.click()}
          >
            {t('pictures.camera')}
          </Button>
        </Group>
        <input
          ref={chooser}
          className={classes.input}
          type="file"
          aria-label={choose}
          accept={pictureTypes.join(',')}
          multiple={isMultiple}
          onChange={onChange}
        />
        <input
          ref={camera}
          className={classes.input}
          type="file"
          aria-label={t('pictures.camera')}
          accept="image/*"
          capture="environment"
          onChange={onChange}
        />
        <Text size="xs" c="dimmed">
          {hint}
        </Text>
      </Stack>
    </div>
  );
}

function UploadList({ uploads }: { uploads: PictureUploads }) {
  const { t } = useTranslation();
  if (!uploads.uploads.length) return null;
  return (
    <Stack gap="xs" role="status">
      {uploads.uploads.map((upload) =>
        upload.error === undefined ? (
          <Running key={upload.id} upload={upload} />
        ) : (
          <Group key={upload.id} gap="xs" wrap="nowrap" role="alert" align="flex-start">
            <Stack gap={0} flex={1} miw={0}>
              <Text size="sm" truncate>
                {upload.file.name}
              </Text>
              <Text size="sm" c="red">
                {explainPicture(upload.error, t)}
              </Text>
            </Stack>
            <ActionIcon
              variant="subtle"
              size="lg"
              aria-label={t('pictures.retry')}
              onClick={() => uploads.retry(upload)}
            >
              <IconRefresh size={18} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={t('pictures.dismiss')}
              onClick={() => uploads.dismiss(upload.id)}
            >
              <IconX size={18} />
            </ActionIcon>
          </Group>
        ),
      )}
    </Stack>
  );
}

function Running({ upload: { file, share } }: { upload: PictureUpload }) {
  const { t } = useTranslation();
  const label = t(share < 1 ? 'pictures.uploading' : 'pictures.processing', { name: file.name });
  return (
    <Stack gap={4}>
      <Text size="sm" truncate>
        {label}
      </Text>
      <Progress value={Math.round(share * 100)} animated={share === 1} aria-label={label} />
    </Stack>
  );
}

/** What to do about a picture that was refused. */
function explainPicture(error: unknown, t: Translate): string {
  const general = explain(error, t);
  if (!(error instanceof ApiError) || error.params) return general;
  const code = error.code as keyof LazyTexts['pictures']['errors'];
  return t(`pictures.errors.${code}`, { defaultValue: general });
}
