import { Button, Group, Stack, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { type ShopPlace, sendPicture, shopPicturesQuery } from '../../api/pictures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.tsx';
import { Panel } from '../../shell/panel.tsx';
import { PictureDrop } from '../../shell/picture-drop.tsx';
import { usePictureUploads } from '../../shell/use-picture-uploads.ts';
import { useStore } from '../../shell/use-store.ts';

/** The logo and the cover of the order page: each is saved at once. */
export function ShopPictures({ onChange }: { onChange(): void }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('pictures.title')}>
      <Stack>
        <ShopPicture place="logo" hint={t('pictures.logoHint')} remove={t('pictures.removeLogo')} onChange={onChange} />
        <ShopPicture
          place="cover"
          hint={t('pictures.coverHint')}
          remove={t('pictures.removeCover')}
          onChange={onChange}
        />
      </Stack>
    </Panel>
  );
}

interface ShopPictureProps {
  place: ShopPlace;
  hint: string;
  remove: string;
  onChange(): void;
}

function ShopPicture({ place, hint, remove, onChange }: ShopPictureProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const query = shopPicturesQuery(storeId);
  const { data } = useQuery(query);
  const params = { storeId };
  const show = (pictures: typeof data) => {
    queryClient.setQueryData(query.queryKey, pictures);
    onChange();
  };
  const uploads = usePictureUploads(async (file, onProgress) =>
    show(await sendPicture({ route: `PUT /stores/{storeId}/shop/${place}`, params, file, onProgress })),
  );
  const removal = useMutation({
    mutationFn: () => call(`DELETE /stores/{storeId}/shop/${place}`, { params }),
    onSuccess: show,
    onError: (error) => notify(explain(error, t), false),
  });
  const picture = data?.[place];
  const shown = picture?.files.find(({ width }) => width >= 480) ?? picture?.files.at(-1);
  return (
    <section aria-label={t(`pictures.${place}`)}>
      <Text size="sm" fw={500} mb={4}>
        {t(`pictures.${place}`)}
      </Text>
      <PictureDrop uploads={uploads} choose={t(picture ? 'pictures.replace' : 'pictures.chooseOne')} hint={hint}>
        {shown && (
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <img
              src={shown.url}
              width={shown.width}
              height={shown.height}
              alt={t(`pictures.${place}`)}
              style={{ width: 'auto', maxWidth: 'calc(100% - 60px)', height: 'auto', maxHeight: 120, borderRadius: 8 }}
            />
            <Button
              variant="subtle"
              color="red"
              px="xs"
              aria-label={remove}
              loading={removal.isPending}
              onClick={() => removal.mutate()}
            >
              <IconTrash size={18} />
            </Button>
          </Group>
        )}
      </PictureDrop>
    </section>
  );
}
