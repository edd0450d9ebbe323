import { Group, Kbd, Stack, Text } from '@mantine/core';
import { useDisclosure, useWindowEvent } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from '../i18n/index.ts';
import { Dialog } from './dialog.tsx';
import { searchKeys } from './search-button.tsx';
import { useCurrentStore } from './use-current-store.ts';
import { useMay } from './use-may.ts';

/** Keyboard shortcuts of every screen; they do nothing while the user types in a field or a dialog is open. */
export function Shortcuts() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const storeId = useCurrentStore()?.id;
  const mayCreate = useMay()('changeOrders');
  const [isOpen, { open, close }] = useDisclosure(false);
  useWindowEvent('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]')) return;
    const action = actionOf(event);
    if (!action || (action === 'newOrder' && !mayCreate)) return;
    event.preventDefault();
    if (action === 'help') open();
    else if (action === 'search') document.querySelector<HTMLElement>('#content [type=search]')?.focus();
    else if (storeId) void navigate({ to: '/stores/$storeId/orders/new', params: { storeId } });
  });
  const shortcuts = [
    [searchKeys, t('search.title')],
    ['/', t('shortcuts.search')],
    ...(mayCreate ? [['n', t('orders.create')] as const] : []),
    ['?', t('shortcuts.help')],
    ['Esc', t('shortcuts.close')],
  ] as const;
  if (!isOpen) return null;
  return (
    <Dialog onClose={close} title={t('shortcuts.title')}>
      <Stack gap="sm" component="dl" m={0}>
        {shortcuts.map(([key, action]) => (
          <Group key={key} justify="space-between" wrap="nowrap">
            <Text component="dt" size="sm">
              {action}
            </Text>
            <Text component="dd" m={0}>
              <Kbd>{key}</Kbd>
            </Text>
          </Group>
        ))}
      </Stack>
    </Dialog>
  );
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;

/** Also by the place of the key: a Russian layout has other characters there. */
function actionOf({ key, code, shiftKey }: KeyboardEvent) {
  if (key === '?' || (code === 'Slash' && shiftKey)) return 'help';
  if (key === '/' || code === 'Slash') return 'search';
  return code === 'KeyN' && !shiftKey ? 'newOrder' : undefined;
}
