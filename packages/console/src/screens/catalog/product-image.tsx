import { Center } from '@mantine/core';
import { IconPhoto, IconPhotoOff } from '@tabler/icons-react';
import { useState } from 'react';

/** What the server accepts: an https address, or a path of this service. */
const isShown = (url: string) => /^https:\/\/[^/]|^\/(?!\/)/i.test(url);

/** The picture of a product; a placeholder if there is none or it cannot be loaded. */
export function ProductImage({ url, size }: { url: string; size: number }) {
  const [broken, setBroken] = useState('');
  const frame = {
    width: size,
    height: size,
    flex: 'none',
    borderRadius: 6,
    border: '1px solid var(--mantine-color-default-border)',
  } as const;
  if (!isShown(url) || broken === url) {
    const Icon = url ? IconPhotoOff : IconPhoto;
    return (
      <Center style={frame} c="dimmed" data-picture={url ? 'broken' : 'none'}>
        <Icon size={size / 2} stroke={1.5} aria-hidden />
      </Center>
    );
  }
  return (
    <img
      src={url}
      // The name of the product is beside it.
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      // The host of the picture does not learn which page shows it.
      referrerPolicy="no-referrer"
      style={{ ...frame, objectFit: 'cover' }}
      onError={() => setBroken(url)}
    />
  );
}
