import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.tsx';
import { statusName } from '../../shell/system-names.ts';
import { useMay } from '../../shell/use-may.ts';

interface Reorderable {
  id: string;
  code: string | null;
  name: string;
}

type Step = -1 | 1;

function swapped<Shape extends Reorderable>(records: readonly Shape[], id: string, step: Step): Shape[] | undefined {
  const from = records.findIndex((record) => record.id === id);
  const [one, other] = [records[from], records[from + step]];
  if (!one || !other) return undefined;
  return records.map((record) => (record === one ? other : record === other ? one : record));
}

/** Moves records up and down, with an optimistic update. */
export function useReorder<Shape extends Reorderable>(
  queryKey: QueryKey,
  save: (ids: string[]) => Promise<Shape[]>,
  /** Merges the reordered records into the cached list. */
  merge: (cached: Shape[], reordered: Shape[]) => Shape[],
) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const mayMove = useMay()('changeOrderSettings');
  const prefix = useId();
  const pressedButton = useRef<string>(undefined);
  const [announcement, setAnnouncement] = useState('');
  const { mutate } = useMutation({
    // Sequential, so that the last order wins.
    scope: { id: prefix },
    mutationFn: (reordered: Shape[]) => save(reordered.map(({ id }) => id)),
    onError(error) {
      notify(explain(error, t), false);
      void queryClient.invalidateQueries({ queryKey });
    },
  });

  // A moved node loses focus; restore it so that the button can be pressed again.
  useLayoutEffect(() => {
    const button = pressedButton.current && document.getElementById(pressedButton.current);
    if (!button || document.activeElement === button) return;
    if (document.activeElement === document.body) button.focus();
    pressedButton.current = undefined;
  });

  const buttonId = (id: string, step: Step) => `${prefix}${id}${step}`;
  function move(records: Shape[], record: Shape, step: Step) {
    const reordered = swapped(records, record.id, step);
    if (!reordered) return;
    pressedButton.current = buttonId(record.id, step);
    queryClient.setQueryData<Shape[]>(queryKey, (cached = []) => merge(cached, reordered));
    const position = reordered.findIndex(({ id }) => id === record.id) + 1;
    setAnnouncement(t('references.moved', { name: statusName(record, t), position, count: reordered.length }));
    mutate(reordered);
  }

  return {
    liveRegion: (
      <VisuallyHidden role="status" aria-live="polite">
        {announcement}
      </VisuallyHidden>
    ),
    buttons: (records: Shape[], record: Shape) =>
      !mayMove || records.length < 2 ? null : (
        <>
          <ReorderButton
            id={buttonId(record.id, -1)}
            label={t('references.moveUp', { name: statusName(record, t) })}
            isEnd={records[0]?.id === record.id}
            onMove={() => move(records, record, -1)}
            isUp
          />
          <ReorderButton
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
  /** First or last. The button stays focusable, so that the focus is not lost. */
  isEnd: boolean;
  onMove(): void;
}

function ReorderButton({ id, label, isUp = false, isEnd, onMove }: ButtonProps) {
  const Arrow = isUp ? IconArrowUp : IconArrowDown;
  return (
    <ActionIcon
      id={id}
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
