import { TextInput } from '@mantine/core';
import type { Category } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { categoriesQuery } from '../../api/catalog.ts';
import { call, ifMatch } from '../../api/client.ts';
import { useTranslation } from '../../i18n/index.ts';
import { notify } from '../../shell/notify.tsx';
import { RecordDialog } from '../../shell/record-dialog.tsx';
import { useRecordForm } from '../../shell/use-record-form.ts';
import { useStore } from '../../shell/use-store.ts';
import { validators } from '../../shell/validators.ts';
import { CategorySelect } from './category-select.tsx';
import { useTree } from './use-tree.ts';

export interface CategoryFormProps {
  /** Without it, the form creates a category. */
  of?: Category;
  /** The parent of a new one; null: top level. */
  in?: string | null;
  onClose(): void;
}

export function CategoryForm({ of, in: parent, onClose }: CategoryFormProps) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const { pathOf } = useTree();
  const list = categoriesQuery(storeId);
  const record = useRecordForm({
    of,
    blank: { name: '', parentId: parent ?? '', externalId: '' },
    valuesOf: ({ name, parentId, externalId }: Category) => ({ name, parentId: parentId ?? '', externalId }),
    validate: () => ({ name: validators(t).required(200) }),
    create: ({ parentId, ...values }) =>
      call('POST /stores/{storeId}/categories', {
        params: { storeId },
        body: { ...values, ...(parentId && { parentId }) },
      }),
    change: ({ id, updatedAt }, body) =>
      call('PATCH /stores/{storeId}/categories/{categoryId}', {
        params: { storeId, categoryId: id },
        body,
        // The API shows the times of categories with microseconds.
        ...ifMatch(`"${new Date(updatedAt).toISOString()}"`),
      }),
    async reload(category) {
      const categories = await queryClient.fetchQuery({ ...list, staleTime: 0 });
      return categories.find(({ id }) => id === category.id) ?? category;
    },
    onSaved(categories) {
      if (categories) queryClient.setQueryData(list.queryKey, categories);
      notify(t(of ? 'common.saved' : 'catalog.tree.created'));
      onClose();
    },
  });
  const { getInputProps } = record.form;
  return (
    <RecordDialog
      record={record}
      title={t(of ? 'catalog.tree.editTitle' : 'catalog.tree.newTitle')}
      create={t('catalog.create')}
      labelOf={(field) => t(field === 'parentId' ? 'catalog.tree.parent' : 'catalog.name')}
      textOf={(field, value) => (field === 'parentId' ? pathOf(value) || t('catalog.tree.topLevel') : value)}
      onClose={onClose}
    >
      <TextInput label={t('catalog.name')} maxLength={200} data-autofocus {...getInputProps('name')} />
      <CategorySelect
        label={t('catalog.tree.parent')}
        none={t('catalog.tree.topLevel')}
        without={of?.id}
        {...getInputProps('parentId')}
      />
      <TextInput
        label={t('catalog.externalId')}
        description={t(of ? 'catalog.tree.externalIdFixed' : 'catalog.tree.externalIdHint')}
        maxLength={255}
        disabled={of !== undefined}
        {...getInputProps('externalId')}
      />
    </RecordDialog>
  );
}
