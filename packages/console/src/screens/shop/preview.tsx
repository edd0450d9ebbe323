import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import type { ShopSettings } from '@store-sales/contract/console';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { CodeBox } from '../../shell/code-box.tsx';
import { lazyDialog } from '../../shell/lazy-dialog.tsx';
import { Panel } from '../../shell/panel.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';

const QrDialog = lazyDialog(() => import('./qr-dialog.tsx'));

/** What the preview shows while it is typed. */
export type PreviewTexts = Pick<ShopSettings, 'title' | 'about' | 'contacts' | 'accent'>;

interface PreviewProps {
  settings: ShopSettings;
  draft: PreviewTexts;
  /** How often the pictures were changed. */
  pictures: number;
}

export function Preview({ settings, draft, pictures }: PreviewProps) {
  const { t } = useTranslation();
  const may = useMay();
  const [isQrShown, setQrShown] = useState(false);
  const { slug, url, isEnabled, accent } = settings;
  const address = `${url}/${slug}`;
  const snippet = `<a href="${address}" target="_blank" rel="noopener" style="display:inline-block;padding:12px 20px;border-radius:8px;background:${accent};color:#fff;text-decoration:none">${t('shop.embedButton')}</a>`;
  if (!isEnabled)
    return (
      <Panel title={t('shop.preview')}>
        <Text c="dimmed">{t('shop.previewClosed')}</Text>
      </Panel>
    );
  return (
    <Stack>
      <Panel title={t('shop.preview')} {...(may('changeShop') && { text: t('shop.previewText') })}>
        <Stack>
          <Group justify="space-between">
            <Anchor href={address} target="_blank" rel="noopener">
              {t('shop.open')}
            </Anchor>
            <Button variant="default" onClick={() => setQrShown(true)}>
              {t('shop.qr')}
            </Button>
          </Group>
          {isQrShown && <QrDialog address={address} name={slug} onClose={() => setQrShown(false)} />}
          {/* Loaded again when something was saved. */}
          <LivePage key={JSON.stringify([settings, pictures])} slug={slug} draft={draft} />
        </Stack>
      </Panel>
      <Panel title={t('shop.embed')} text={t('shop.embedText')}>
        <CodeBox text={snippet} />
      </Panel>
      {settings.isInFeeds && (
        <Panel title={t('shop.feeds')} text={t('shop.feedsText')}>
          <CodeBox text={`${address}/feeds/yml.xml`} />
          <CodeBox text={`${address}/feeds/google.xml`} />
        </Panel>
      )}
    </Stack>
  );
}

/** The page of this host, so that it is shown whatever the public address is, with what was typed since it was saved. */
function LivePage({ slug, draft }: { slug: string; draft: PreviewTexts }) {
  const { t } = useTranslation();
  const { name } = useStore();
  const frame = useRef<HTMLIFrameElement>(null);
  const show = useEffectEvent(() => {
    const page = frame.current?.contentDocument;
    if (!page) return;
    const texts = { 'header .title': draft.title.trim() || name, 'main > .about': draft.about, footer: draft.contacts };
    for (const [selector, text] of Object.entries(texts)) {
      const element = page.querySelector(selector);
      if (element) element.textContent = text;
    }
    page.documentElement.style.setProperty('--accent', draft.accent);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: shows the draft
  useEffect(() => show(), [draft]);
  return (
    <iframe
      ref={frame}
      title={t('shop.preview')}
      src={`/shop/${slug}`}
      width="100%"
      height={560}
      style={{ border: 0 }}
      onLoad={() => show()}
    />
  );
}
