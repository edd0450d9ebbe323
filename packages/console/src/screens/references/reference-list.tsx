import { ActionIcon, Button } from '@mantine/core';
import { type Icon, IconPencil, IconPlus } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { EmptyState } from '../../shell/empty-state.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { ListHead, Rows } from './list.tsx';

interface ReferenceListProps<Shape> {
  query: UseQueryResult<Shape[]>;
  label: string;
  /** Of the dictionary. */
  section: 'payments' | 'types' | 'delivery' | 'stock';
  /** For an empty list; payment statuses are never empty. */
  icon?: Icon;
  onAdd(): void;
  /** Several stores share the records: only an owner of all of them adds and edits. */
  isShared?: boolean;
  /** A row. */
  children(record: Shape, records: Shape[]): ReactNode;
}

export function ReferenceList<Shape>({
  query,
  label,
  section,
  icon,
  isShared,
  onAdd,
  children,
}: ReferenceListProps<Shape>) {
  const { t } = useTranslation();
  const may = useMay();
  const { mayChangeTypes } = useStore();
  const addButton = may('changeOrderSettings') && (!isShared || mayChangeTypes) && (
    <Button leftSection={<IconPlus size={18} />} onClick={onAdd}>
      {t(`references.${section}.add`)}
    </Button>
  );
  const empty = icon && section !== 'payments' && (
    <EmptyState
      icon={icon}
      title={t(`references.${section}.emptyTitle`)}
      text={addButton ? t(`references.${section}.emptyText`) : ''}
    >
      {addButton}
    </EmptyState>
  );
  return (
    <>
      <ListHead text={t(`references.${section}.text`)} action={!!query.data?.length && addButton} />
      <Loaded query={query}>
        {(records) =>
          records.length || !empty ? (
            <section className="panel" aria-label={label}>
              <Rows label={label}>{records.map((record) => children(record, records))}</Rows>
            </section>
          ) : (
            empty
          )
        }
      </Loaded>
    </>
  );
}

export function EditButton({ name, onClick }: { name: string; onClick(): void }) {
  const { t } = useTranslation();
  const may = useMay();
  if (!may('changeOrderSettings')) return null;
  return (
    <ActionIcon size={34} aria-label={t('references.editNamed', { name })} onClick={onClick}>
      <IconPencil size={17} />
    </ActionIcon>
  );
}
