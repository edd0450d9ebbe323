import { CloseButton } from '@mantine/core';
import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { useTranslation } from '../i18n/index.ts';
import classes from './dialog.module.css';

export interface DialogProps {
  onClose(): void;
  title: ReactNode;
  /** The large ones fill the window of a phone. */
  size?: 'md' | 'lg' | 'xl';
  /** At the right edge, or near the top; else in the middle. */
  place?: 'right' | 'top';
  closeOnClickOutside?: boolean;
  /** It has no close button, and stays open on Escape and on a click outside. */
  isKeptOpen?: boolean;
  children: ReactNode;
}

/** The open ones; only the last gets Escape. */
let open: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function setOpen(changed: readonly HTMLDialogElement[]) {
  open = changed;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The dialog in front, if one is open. Nothing outside it can be clicked. */
export const useTopDialog = () => useSyncExternalStore(subscribe, () => open.at(-1));

/** A modal dialog of the browser, with its focus handling. It is open while it is mounted. */
export function Dialog({
  onClose,
  title,
  size = 'md',
  place,
  closeOnClickOutside = true,
  isKeptOpen = false,
  children,
}: DialogProps) {
  const { t } = useTranslation();
  const id = useId();
  const ref = useRef<HTMLDialogElement>(null);
  const isPressedOutside = useRef(false);

  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || open.at(-1) !== ref.current) return;
    // Else the browser closes it, without asking for a second time.
    event.preventDefault();
    if (!isKeptOpen) onClose();
  });

  useLayoutEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    const root = document.documentElement;
    if (!open.length) root.style.setProperty('--scrollbar', `${window.innerWidth - root.clientWidth}px`);
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    setOpen([...open, dialog]);
    window.addEventListener('keydown', onKeyDown);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      setOpen(open.filter((other) => other !== dialog));
      // Gives the focus back.
      dialog.close();
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: for keys there is Escape
    <dialog
      ref={ref}
      aria-labelledby={id}
      className={classes.dialog}
      data-size={size}
      data-place={place}
      onCancel={(event) => {
        event.preventDefault();
        if (!isKeptOpen) onClose();
      }}
      onMouseDown={({ target, currentTarget }) => {
        isPressedOutside.current = target === currentTarget;
      }}
      onClick={({ target, currentTarget }) => {
        const isOutside = isPressedOutside.current && target === currentTarget;
        if (isOutside && closeOnClickOutside && !isKeptOpen) onClose();
      }}
    >
      <div className={classes.content}>
        <div className={classes.header}>
          <h2 className={classes.title} id={id}>
            {title}
          </h2>
          {!isKeptOpen && <CloseButton aria-label={t('common.close')} onClick={onClose} />}
        </div>
        {children}
      </div>
    </dialog>
  );
}
