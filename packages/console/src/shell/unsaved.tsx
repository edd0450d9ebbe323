import { Button, Group, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { Dialog } from './dialog.tsx';

export interface Work {
  isUnsaved(): boolean;
  /** From now on it is not asked about. */
  discard(): void;
}

/** The work of every mounted form. */
const allWork = new Set<Work>();
let ask = async () => true;

/** Whether the work may be lost: nothing is unsaved, or the user agreed. */
export async function confirmDiscard(works: Iterable<Work> = allWork): Promise<boolean> {
  const unsaved = [...works].filter((work) => work.isUnsaved());
  if (!unsaved.length) return true;
  const isDiscarded = await ask();
  if (isDiscarded) for (const work of unsaved) work.discard();
  return isDiscarded;
}

export function discardAll() {
  for (const work of allWork) work.discard();
}

/** Asks before what a form holds is lost. `isUnsaved` is called when the user is about to leave. */
export function useUnsavedWork(isUnsaved: () => boolean, onDiscard?: () => void): Work {
  const latest = useRef({ isUnsaved, onDiscard });
  latest.current = { isUnsaved, onDiscard };
  const [work] = useState(() => {
    let isDiscarded = false;
    return {
      isUnsaved: () => !isDiscarded && latest.current.isUnsaved(),
      discard() {
        isDiscarded = true;
        latest.current.onDiscard?.();
      },
    };
  });
  useEffect(() => {
    allWork.add(work);
    return () => {
      allWork.delete(work);
    };
  }, [work]);
  return work;
}

const shouldBlockFn = async () => !(await confirmDiscard());
const enableBeforeUnload = () => [...allWork].some((work) => work.isUnsaved());

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
  if (!answer) return null;
  const finish = (isDiscarded: boolean) => {
    answer(isDiscarded);
    setAnswer(undefined);
    isAsking.current = false;
  };
  return (
    <Dialog onClose={() => finish(false)} title={t('unsaved.title')}>
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
