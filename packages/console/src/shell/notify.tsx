import { Notification } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from '../i18n/index.ts';
import { useTopDialog } from './dialog.tsx';
import classes from './notify.module.css';

const SHOWN_MS = 4000;
const MAX_SHOWN = 5;

interface Notice {
  id: number;
  message: string;
  isGood: boolean;
}

let notices: readonly Notice[] = [];
let lastId = 0;
let onChange = () => {};

function setNotices(changed: readonly Notice[]) {
  notices = changed;
  onChange();
}

export const notify = (message: string, isGood = true) =>
  setNotices([...notices, { id: ++lastId, message, isGood }].slice(-MAX_SHOWN));

const remove = (id: number) => setNotices(notices.filter((notice) => notice.id !== id));

function subscribe(listener: () => void) {
  onChange = listener;
  return () => {
    onChange = () => {};
  };
}

/**
 * The notices of `notify`, inside the dialog in front, because those outside it cannot be clicked. None disappears
 * while the user points at one or has focused its button.
 */
export function Notices() {
  const { t } = useTranslation();
  const shown = useSyncExternalStore(subscribe, () => notices);
  const [isHeld, setHeld] = useState(false);
  const dialog = useTopDialog();
  const [lastDialog, setLastDialog] = useState(dialog);
  // The one that is held may be gone.
  if (isHeld && !shown.length) setHeld(false);
  if (dialog !== lastDialog) {
    setLastDialog(dialog);
    setHeld(false);
  }
  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only stops the clock
    <div
      ref={(popover) => {
        // The dialog may have been closed in this moment.
        if (popover?.isConnected) popover.togglePopover(shown.length > 0);
      }}
      popover="manual"
      className={classes.notices}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {shown.map((notice) => (
        <TimedNotice key={notice.id} notice={notice} isHeld={isHeld} closeLabel={t('common.close')} />
      ))}
    </div>,
    dialog ?? document.body,
  );
}

interface TimedNoticeProps {
  notice: Notice;
  isHeld: boolean;
  closeLabel: string;
}

function TimedNotice({ notice: { id, message, isGood }, isHeld, closeLabel }: TimedNoticeProps) {
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(remove, SHOWN_MS, id);
    return () => clearTimeout(timer);
  }, [id, isHeld]);
  return (
    <Notification
      className={classes.notice ?? ''}
      color={isGood ? 'teal' : 'red'}
      onClose={() => remove(id)}
      closeButtonProps={{ 'aria-label': closeLabel }}
    >
      {message}
    </Notification>
  );
}
