import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.ts';
import { statusName } from '../../shell/system-names.ts';

interface Arranged {
  id: string;
  code: string | null;
  name: string;
}

type Step = -1 | 1;

/** The list with two records changed in place. */
function exchanged<Shape extends Arranged>(records: readonly Shape[], id: string, step: Step): Shape[] | undefined {
  const from = records.findIndex((record) => record.id === id);
  const [one, other] = [records[from], records[from + step]];
  if (!one || !other) return undefined;
  return records.map((record) => (record === one ? other : record === other ? one : record));
}

/** Moves records up and down: seen at once, undone if the server refuses. */
export function useArrangement<Shape extends Arranged>(
  queryKey: QueryKey,
  save: (ids: string[]) => Promise<Shape[]>,
  /** Puts the records that were moved back among all that are kept. */
  merge: (kept: Shape[], arranged: Shape[]) => Shape[],
) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const prefix = useId();
  const held = useRef<string>(undefined);
  const [words, setWords] = useState('');
  const { mutate } = useMutation({
    // One after the other: the last order that was chosen is the one that stays.
    scope: { id: prefix },
    mutationFn: (arranged: Shape[]) => save(arranged.map(({ id }) => id)),
    onError(error) {
      notify(explain(error, t), false);
      void queryClient.invalidateQueries({ queryKey });
    },
  });

  // A node that is moved loses the focus; whoever pressed its button presses it again.
  useLayoutEffect(() => {
    const button = held.current && document.getElementById(held.current);
    if (!button || document.activeElement === button) return;
    if (document.activeElement === document.body) button.focus();
    held.current = undefined;
  });

  const buttonId = (id: string, step: Step) => `${prefix}${id}${step}`;
  function move(records: Shape[], record: Shape, step: Step) {
    const arranged = exchanged(records, record.id, step);
    if (!arranged) return;
    held.current = buttonId(record.id, step);
    queryClient.setQueryData<Shape[]>(queryKey, (kept = []) => merge(kept, arranged));
    const place = arranged.findIndex(({ id }) => id === record.id) + 1;
    setWords(t('references.moved', { name: statusName(record, t), place, count: arranged.length }));
    mutate(arranged);
  }

  return {
    spoken: (
      <VisuallyHidden role="status" aria-live="polite">
        {words}
      </VisuallyHidden>
    ),
    buttons: (records: Shape[], record: Shape) =>
      records.length < 2 ? null : (
        <>
          <ArrangeButton
            id={buttonId(record.id, -1)}
            label={t('references.moveUp', { name: statusName(record, t) })}
            isEnd={records[0]?.id === record.id}
            onMove={() => move(records, record, -1)}
            isUp
          />
          <ArrangeButton
            id={buttonId(record.id, 1)}
            label={t('references.moveDown', { name: statusName(record, t) })}
            isEnd={records.at(-1)?.id === record.id}
            onMove={() => move(records, record, 1)}
          />
        </>
      ),
  };
}

interface ButtonProps {
  id: string;
  label: string;
  isUp?: boolean;
  /** There is nowhere further to go. The button stays in reach, so that the focus is not lost. */
  isEnd: boolean;
  onMove(): void;
}

function ArrangeButton({ id, label, isUp = false, isEnd, onMove }: ButtonProps) {
  const Arrow = isUp ? IconArrowUp : IconArrowDown;
  return (
    <ActionIcon
      id={id}
      variant="subtle"
      color="gray"
      c="dimmed"
      size={30}
      aria-label={label}
      aria-disabled={isEnd}
      style={isEnd ? { opacity: 0.35, cursor: 'default' } : {}}
      onClick={onMove}
    >
      <Arrow size={17} />
    </ActionIcon>
  );
}
