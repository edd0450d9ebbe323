import { useDisclosure, useWindowEvent } from '@mantine/hooks';

/** Opens with Ctrl+K or Cmd+K, also while the user types, unless a dialog is open. */
export function useSearchPalette() {
  const [isOpen, { open, close }] = useDisclosure(false);
  useWindowEvent('keydown', (event) => {
    // By the place of the key: a Russian layout has another character there.
    if (event.code !== 'KeyK' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (!document.querySelector('dialog[open]')) open();
  });
  return { isOpen, open, close };
}
