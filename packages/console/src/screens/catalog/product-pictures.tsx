import { ActionIcon, Badge, Group, Text, VisuallyHidden } from '@mantine/core';
import type { Product } from '@store-sales/contract';
import type { Picture, ProductPictures as Saved } from '@store-sales/contract/console';
import { MAX_PICTURES } from '@store-sales/contract/values';
import { IconArrowLeft, IconArrowRight, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { updateCachedProduct } from '../../api/catalog.ts';
import { call } from '../../api/client.ts';
import { productPicturesQuery, sendPicture } from '../../api/pictures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.tsx';
import { PictureDrop } from '../../shell/picture-drop.tsx';
import { usePictureUploads } from '../../shell/use-picture-uploads.ts';
import { useStore } from '../../shell/use-store.ts';
import classes from './product-pictures.module.css';

interface ProductPicturesProps {
  productId: string;
  /** The product has another version. */
  onChange(product: Product): void;
}

/** The pictures of a product: each change is saved at once. */
export function ProductPictures({ productId, onChange }: ProductPicturesProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const query = productPicturesQuery(storeId, productId);
  const { data: pictures = [] } = useQuery(query);
  const [removed, setRemoved] = useState<Picture>();
  const [announcement, setAnnouncement] = useState('');
  const params = { storeId, productId };

  function save({ product, pictures: saved }: Saved, text: string) {
    queryClient.setQueryData(query.queryKey, saved);
    updateCachedProduct(queryClient, storeId, product);
    setAnnouncement(text);
    onChange(product);
  }
  const uploads = usePictureUploads(async (file, onProgress) => {
    const route = 'POST /stores/{storeId}/products/{productId}/pictures';
    save(await sendPicture({ route, params, file, onProgress }), t('pictures.added'));
  });
  async function move(from: number, to: number) {
    const arranged = [...pictures];
    const [moved] = arranged.splice(from, 1);
    if (!moved || from === to) return;
    arranged.splice(to, 0, moved);
    queryClient.setQueryData(query.queryKey, arranged);
    const ids = arranged.map(({ id }) => id);
    try {
      const saved = await call('PUT /stores/{storeId}/products/{productId}/pictures', { params, body: { ids } });
      save(saved, t('pictures.moved', { position: from + 1, to: to + 1 }));
    } catch (error) {
      notify(explain(error, t), false);
      void queryClient.invalidateQueries({ queryKey: query.queryKey });
    }
  }
  const isFull = pictures.length >= MAX_PICTURES;
  return (
    <section aria-label={t('pictures.title')}>
      <Text size="sm" fw={500} mb={4}>
        {t('pictures.title')}
      </Text>
      <PictureDrop
        uploads={uploads}
        choose={t('pictures.choose')}
        hint={t(isFull ? 'pictures.full' : 'pictures.hint')}
        isMultiple
        isDisabled={isFull}
        isPasteTarget
      >
        {pictures.length > 0 && <Gallery pictures={pictures} onMove={move} onRemove={setRemoved} />}
      </PictureDrop>
      <VisuallyHidden role="status">{announcement}</VisuallyHidden>
      {removed && (
        <Confirm
          title={t('pictures.removeTitle')}
          text={t('pictures.removeText')}
          action={t('pictures.delete')}
          run={() =>
            call('DELETE /stores/{storeId}/products/{productId}/pictures/{pictureId}', {
              params: { ...params, pictureId: removed.id },
            })
          }
          onDone={(saved) => save(saved, t('pictures.removed'))}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </section>
  );
}

interface GalleryProps {
  pictures: readonly Picture[];
  onMove(from: number, to: number): void;
  onRemove(picture: Picture): void;
}

/** Moved by dragging or with the buttons. */
function Gallery({ pictures, onMove, onRemove }: GalleryProps) {
  const { t } = useTranslation();
  const [dragged, setDragged] = useState<number>();
  const [target, setTarget] = useState<number>();
  const stop = () => {
    setDragged(undefined);
    setTarget(undefined);
  };
  return (
    <ul className={classes.list} aria-label={t('pictures.list')}>
      {pictures.map((picture, index) => {
        const position = index + 1;
        const { url, width, height } = picture.files.find((file) => file.width >= 240) ?? lastOf(picture);
        const buttons = [
          { Icon: IconArrowLeft, label: t('pictures.earlier', { position }), to: index - 1 },
          { Icon: IconArrowRight, label: t('pictures.later', { position }), to: index + 1 },
        ];
        return (
          <li
            key={picture.id}
            className={classes.tile}
            draggable={pictures.length > 1}
            data-over={target === index && dragged !== index}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              setDragged(index);
            }}
            onDragEnd={stop}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              setTarget(index);
            }}
            onDrop={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              stop();
              onMove(dragged, index);
            }}
          >
            <img
              src={url}
              width={width}
              height={height}
              alt={t('pictures.nth', { position })}
              loading="lazy"
              draggable={false}
            />
            {index === 0 && (
              <Badge className={classes.first} size="sm" variant="filled">
                {t('pictures.first')}
              </Badge>
            )}
            <Group justify="center" gap={4} p={4} wrap="nowrap">
              {buttons.map(({ Icon, label, to }) => (
                <ActionIcon
                  key={label}
                  variant="subtle"
                  color="gray"
                  size={34}
                  aria-label={label}
                  disabled={to < 0 || to >= pictures.length}
                  onClick={() => onMove(index, to)}
                >
                  <Icon size={18} />
                </ActionIcon>
              ))}
              <ActionIcon
                variant="subtle"
                color="red"
                size={34}
                aria-label={t('pictures.remove', { position })}
                onClick={() => onRemove(picture)}
              >
                <IconTrash size={18} />
              </ActionIcon>
            </Group>
          </li>
        );
      })}
    </ul>
  );
}

const lastOf = ({ files }: Picture) => files.at(-1) ?? { url: '', width: 1, height: 1 };
