import { ActionIcon, Box, Button, Text } from '@mantine/core';
import type { Category } from '@store-sales/contract';
import { IconChevronRight, IconFolder, IconFolders, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { categoriesQuery } from '../../api/catalog.ts';
import { call } from '../../api/client.ts';
import { query } from '../../api/query.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Confirm } from '../../shell/confirm.tsx';
import { EmptyState } from '../../shell/empty-state.tsx';
import { TextLink } from '../../shell/link.tsx';
import { Loaded } from '../../shell/loaded.tsx';
import { Menu } from '../../shell/menu.tsx';
import { notify } from '../../shell/notify.tsx';
import { useMay } from '../../shell/use-may.ts';
import { useStore } from '../../shell/use-store.ts';
import { ListHead } from '../references/list.tsx';
import { RecordMenu } from '../references/record-menu.tsx';
import { CategoryForm, type CategoryFormProps } from './category-form.tsx';
import classes from './tree.module.css';
import type { CategoryNode } from './tree.ts';
import { useTree } from './use-tree.ts';

type Edited = Omit<CategoryFormProps, 'onClose'>;

/** Larger trees start collapsed. */
const MAX_EXPANDED = 100;

export function Categories() {
  const { t } = useTranslation();
  const { query, tree } = useTree();
  const mayChange = useMay()('changeCatalog');
  const [edited, setEdited] = useState<Edited>();
  const [deleted, setDeleted] = useState<Category>();
  const add = mayChange && (
    <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited({ in: null })}>
      {t('catalog.tree.add')}
    </Button>
  );
  return (
    <>
      <ListHead text={t('catalog.tree.text')} action={!!query.data?.length && add} />
      <Loaded query={query}>
        {({ length }) =>
          length ? (
            <Box className="panel" py="xs">
              <Level
                nodes={tree}
                label={t('catalog.categories')}
                isOpen={length <= MAX_EXPANDED}
                mayChange={mayChange}
                onEdit={setEdited}
                onDelete={setDeleted}
              />
            </Box>
          ) : (
            <EmptyState icon={IconFolders} title={t('catalog.tree.emptyTitle')} text={t('catalog.tree.emptyText')}>
              {add}
            </EmptyState>
          )
        }
      </Loaded>
      {edited && <CategoryForm {...edited} onClose={() => setEdited(undefined)} />}
      {deleted && <DeleteCategory of={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}

interface LevelProps {
  nodes: CategoryNode[];
  label: string;
  /** Whether nodes start expanded. */
  isOpen: boolean;
  mayChange: boolean;
  onEdit(edited: Edited): void;
  onDelete(category: Category): void;
}

const Level = ({ nodes, label, ...shared }: LevelProps) => (
  <ul className={classes.level} aria-label={label}>
    {nodes.map((node) => (
      <Node key={node.id} of={node} {...shared} />
    ))}
  </ul>
);

function Node({ of, ...shared }: Omit<LevelProps, 'nodes' | 'label'> & { of: CategoryNode }) {
  const { mayChange, onEdit, onDelete } = shared;
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const [isOpen, setOpen] = useState(shared.isOpen);
  const { data } = useQuery({
    ...query('GET /stores/{storeId}/categories/counts', { params: { storeId } }),
    staleTime: 0,
  });
  const hasChildren = of.children.length > 0;
  const products = {
    to: '/stores/$storeId/catalog/products',
    params: { storeId },
    search: { category: of.id },
  } as const;
  return (
    <li aria-label={of.name}>
      <div className={classes.node}>
        {hasChildren ? (
          <ActionIcon
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
          {mayChange ? (
            of.name
          ) : (
            <TextLink inherit c="inherit" {...products}>
              {of.name}
            </TextLink>
          )}
          {of.externalId && (
            <Text span size="sm" fw={400} c="dimmed" ml={8}>
              {of.externalId}
            </Text>
          )}
        </Text>
        {data?.counts && (
          <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {t('catalog.tree.count', { count: data.counts[of.id] ?? 0 })}
          </Text>
        )}
        {mayChange && (
          <RecordMenu name={of.name}>
            <Menu.Item renderRoot={(props) => <Link {...props} {...products} />}>
              {t('catalog.tree.products')}
            </Menu.Item>
            <Menu.Item onClick={() => onEdit({ in: of.id })}>{t('catalog.tree.addIn')}</Menu.Item>
            <Menu.Item onClick={() => onEdit({ of })}>{t('common.edit')}</Menu.Item>
            <Menu.Item style={{ color: 'var(--mantine-color-error)' }} onClick={() => onDelete(of)}>
              {t('catalog.tree.delete')}
            </Menu.Item>
          </RecordMenu>
        )}
      </div>
      {hasChildren && isOpen && <Level nodes={of.children} label={of.name} {...shared} />}
    </li>
  );
}

function DeleteCategory({ of: { id, name }, onClose }: { of: Category; onClose(): void }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  return (
    <Confirm
      title={t('catalog.tree.deleteTitle', { name })}
      text={t('catalog.tree.deleteText')}
      action={t('catalog.tree.delete')}
      run={() => call('DELETE /stores/{storeId}/categories/{categoryId}', { params: { storeId, categoryId: id } })}
      onDone={(categories) => {
        queryClient.setQueryData(categoriesQuery(storeId).queryKey, categories);
        notify(t('catalog.tree.deleted'));
      }}
      onClose={onClose}
    />
  );
}
