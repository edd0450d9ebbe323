import { ActionIcon, Box, Button, Menu, Text } from '@mantine/core';
import type { Category } from '@store-sales/contract';
import { IconChevronRight, IconFolder, IconFolders, IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { categoriesQuery, deleteCategory } from '../../api/catalog.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { EmptyState } from '../../shell/empty-state.tsx';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.ts';
import { useStore } from '../../shell/use-store.ts';
import { ListHead, Loaded } from '../references/list.tsx';
import { RecordMenu } from '../references/record-menu.tsx';
import { CategoryDialog, type Edited } from './category-form.tsx';
import classes from './tree.module.css';
import type { Branch } from './tree.ts';
import { useTree } from './use-tree.ts';

/** A tree of more is shown closed. */
const SHOWN_OPEN = 100;

export function Categories() {
  const { t } = useTranslation();
  const { query, tree } = useTree();
  const [edited, setEdited] = useState<Edited>();
  const [deleted, setDeleted] = useState<Category>();
  const add = (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited({ in: null })}>
      {t('catalog.tree.add')}
    </Button>
  );
  return (
    <>
      <ListHead text={t('catalog.tree.text')} action={query.data?.length ? add : undefined} />
      <Loaded
        query={query}
        empty={
          <EmptyState icon={IconFolders} title={t('catalog.tree.emptyTitle')} text={t('catalog.tree.emptyText')}>
            {add}
          </EmptyState>
        }
      >
        {({ length }) => (
          <Box className="panel" py="xs">
            <Level
              branches={tree}
              label={t('catalog.categories')}
              isOpen={length <= SHOWN_OPEN}
              onEdit={setEdited}
              onDelete={setDeleted}
            />
          </Box>
        )}
      </Loaded>
      <CategoryDialog edited={edited} onClose={() => setEdited(undefined)} />
      <Deletion of={deleted} onClose={() => setDeleted(undefined)} />
    </>
  );
}

interface LevelProps {
  branches: Branch[];
  label: string;
  /** Whether branches begin open. */
  isOpen: boolean;
  onEdit(edited: Edited): void;
  onDelete(category: Category): void;
}

const Level = ({ branches, label, ...shared }: LevelProps) => (
  <ul className={classes.level} aria-label={label}>
    {branches.map((branch) => (
      <Node key={branch.id} of={branch} {...shared} />
    ))}
  </ul>
);

function Node({ of, isOpen: opensOpen, onEdit, onDelete }: Omit<LevelProps, 'branches' | 'label'> & { of: Branch }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const [isOpen, setOpen] = useState(opensOpen);
  const hasChildren = of.children.length > 0;
  return (
    <li aria-label={of.name}>
      <div className={classes.node}>
        {hasChildren ? (
          <ActionIcon
            variant="subtle"
            color="gray"
            c="dimmed"
            size={28}
            aria-label={t('catalog.tree.open', { name: of.name })}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight size={16} className={classes.arrow} data-open={isOpen} />
          </ActionIcon>
        ) : (
          <span className={classes.leaf} />
        )}
        <IconFolder size={18} stroke={1.6} aria-hidden className={classes.icon} />
        <Text size="sm" fw={500} flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
          {of.name}
          {of.externalId && (
            <Text span size="sm" fw={400} c="dimmed" ml={8}>
              {of.externalId}
            </Text>
          )}
        </Text>
        <RecordMenu name={of.name}>
          <Menu.Item
            renderRoot={(props) => (
              <Link
                {...props}
                to="/stores/$storeId/catalog/products"
                params={{ storeId }}
                search={{ category: of.id }}
              />
            )}
          >
            {t('catalog.tree.products')}
          </Menu.Item>
          <Menu.Item onClick={() => onEdit({ in: of.id })}>{t('catalog.tree.addIn')}</Menu.Item>
          <Menu.Item onClick={() => onEdit({ of })}>{t('catalog.tree.edit')}</Menu.Item>
          <Menu.Item c="var(--mantine-color-error)" onClick={() => onDelete(of)}>
            {t('catalog.tree.delete')}
          </Menu.Item>
        </RecordMenu>
      </div>
      {hasChildren && isOpen && (
        <Level branches={of.children} label={of.name} isOpen={opensOpen} onEdit={onEdit} onDelete={onDelete} />
      )}
    </li>
  );
}

function Deletion({ of, onClose }: { of: Category | undefined; onClose(): void }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: (id: string) => deleteCategory(storeId, id),
    onSuccess(categories) {
      queryClient.setQueryData(categoriesQuery(storeId).queryKey, categories);
      notify(t('catalog.tree.deleted'));
      onClose();
    },
  });
  return (
    <Confirm
      isOpen={of !== undefined}
      title={t('catalog.tree.deleteTitle', { name: of?.name ?? '' })}
      text={t('catalog.tree.deleteText')}
      action={t('catalog.tree.delete')}
      isBusy={isPending}
      problem={error ? explain(error, t) : undefined}
      onConfirm={() => of && mutate(of.id)}
      onClose={() => {
        reset();
        onClose();
      }}
    />
  );
}
