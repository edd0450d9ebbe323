import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { createContext, useContext, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { Dialog, type DialogProps } from './dialog.tsx';

interface Work {
  isUnsaved(): boolean;
  onDiscard?(): void;
}
type Works = Set<Work>;

/** The work of every mounted form. */
const allWork: Works = new Set();
/** The work inside one dialog or drawer. */
const Scope = createContext<Works | undefined>(undefined);

const hasUnsaved = (works: Works) => [...works].some((work) => work.isUnsaved());
let ask = async () => true;

/** Whether the work may be lost: nothing is unsaved, or the user agreed. */
export async function confirmDiscard(works = allWork): Promise<boolean> {
  if (!hasUnsaved(works)) return true;
  const isDiscarded = await ask();
  if (isDiscarded) discard(works);
  return isDiscarded;
}

/** From now on the work is not asked about. */
export function discard(works = allWork) {
  for (const work of works) {
    work.isUnsaved = () => false;
    work.onDiscard?.();
  }
}

/** Asks before what a form holds is lost. `isUnsaved` is called when the user is about to leave. */
export function useUnsavedWork(isUnsaved: () => boolean, onDiscard?: () => void) {
  const scope = useContext(Scope);
  const latest = useRef({ isUnsaved, onDiscard });
  latest.current = { isUnsaved, onDiscard };
  useEffect(() => {
    const work = { isUnsaved: () => latest.current.isUnsaved(), onDiscard: () => latest.current.onDiscard?.() };
    for (const works of [allWork, scope]) works?.add(work);
    return () => {
      for (const works of [allWork, scope]) works?.delete(work);
    };
  }, [scope]);
}

/** Discards the work of the surrounding dialog without asking, for its Cancel button. */
export function useDiscard() {
  const scope = useContext(Scope);
  return () => discard(scope);
}

/** A dialog with a form: closing it asks if something is unsaved. */
export function FormDialog({ onClose, children, ...props }: DialogProps) {
  const [scope] = useState<Works>(() => new Set());
  return (
    <Dialog {...props} onClose={() => void confirmDiscard(scope).then((isDiscarded) => isDiscarded && onClose())}>
      <Scope value={scope}>{children}</Scope>
    </Dialog>
  );
}

const shouldBlockFn = async () => !(await confirmDiscard());
const enableBeforeUnload = () => hasUnsaved(allWork);

/** Asks before a navigation, a reload or a closed dialog loses unsaved work. */
export function UnsavedGuard() {
  const { t } = useTranslation();
  const [answer, setAnswer] = useState<(isDiscarded: boolean) => void>();
  const isAsking = useRef(false);
  useBlocker({ shouldBlockFn, enableBeforeUnload });
  useEffect(() => {
    ask = () => {
      if (isAsking.current) return Promise.resolve(false);
      isAsking.current = true;
      return new Promise((resolve) => setAnswer(() => resolve));
    };
    return () => {
      ask = async () => true;
    };
  }, []);
  const finish = (isDiscarded: boolean) => {
    answer?.(isDiscarded);
    setAnswer(undefined);
    isAsking.current = false;
  };
  return (
    <Dialog opened={answer !== undefined} onClose={() => finish(false)} title={t('unsaved.title')}>
      <Stack>
        <Text size="sm">{t('unsaved.text')}</Text>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={() => finish(false)} data-autofocus>
            {t('unsaved.keep')}
          </Button>
          <Button color="red.8" onClick={() => finish(true)}>
            {t('unsaved.discard')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
