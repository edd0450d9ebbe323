import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';

/** The Clipboard API needs https or localhost; elsewhere `execCommand` still works. */
async function copy(text: string) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Next to the focused element: a modal dialog traps the focus.
  (document.activeElement?.parentElement ?? document.body).append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

export function CopyButton({ text, label }: { text: string; label?: string }) {
  const { t } = useTranslation();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const hint = isCopied ? t('common.copied') : (label ?? t('common.copy'));
  return (
    <ActionIcon
      c={isCopied ? 'teal' : 'dimmed'}
      aria-label={hint}
      title={hint}
      onClick={() => copy(text).then(() => setCopied(true))}
    >
      {isCopied ? <IconCheck size={18} /> : <IconCopy size={18} />}
    </ActionIcon>
  );
}
