import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Category } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { categoriesQuery, changeCategory, createCategory } from '../../api/catalog.ts';
import { checks } from '../../shell/checks.ts';
import { notify } from '../../shell/notify.ts';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { RecordDialog, RecordForm } from '../references/record-dialog.tsx';
import { CategorySelect } from './category-select.tsx';

/** A new category in another (or at the top), or one that is there. */
export type Edited = { in: string | null } | { of: Category };

export function CategoryDialog({ edited, onClose }: { edited: Edited | undefined; onClose(): void }) {
  const { t } = useTranslation();
  const title = t(edited && 'of' in edited ? 'catalog.tree.editTitle' : 'catalog.tree.newTitle');
  return (
    <RecordDialog title={title} isOpen={edited !== undefined} onClose={onClose}>
      {edited && <CategoryForm edited={edited} onClose={onClose} />}
    </RecordDialog>
  );
}

interface Values {
  name: string;
  parentId: string;
  externalId: string;
}

function CategoryForm({ edited, onClose }: { edited: Edited; onClose(): void }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const of = 'of' in edited ? edited.of : undefined;
  const parentId = 'in' in edited ? edited.in : edited.of.parentId;
  const form = useForm<Values>({
    initialValues: { name: of?.name ?? '', parentId: parentId ?? '', externalId: of?.externalId ?? '' },
    validate: { name: checks(t).filled(200) },
  });
  const sending = useSubmit(
    form,
    ({ name, parentId, externalId }: Values) =>
      of
        ? changeCategory(storeId, of.id, { name, parentId })
        : createCategory(storeId, { name, externalId, ...(parentId && { parentId }) }),
    (categories) => {
      queryClient.setQueryData(categoriesQuery(storeId).queryKey, categories);
      notify(t(of ? 'common.saved' : 'catalog.tree.created'));
      onClose();
    },
  );
  return (
    <RecordForm sending={sending} action={t(of ? 'common.save' : 'catalog.create')} onCancel={onClose}>
      <TextInput label={t('catalog.name')} maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <CategorySelect
        label={t('catalog.tree.parent')}
        none={t('catalog.tree.topLevel')}
        without={of?.id}
        {...form.getInputProps('parentId')}
      />
      <TextInput
        label={t('catalog.externalId')}
        description={t(of ? 'catalog.tree.externalIdFixed' : 'catalog.tree.externalIdHint')}
        maxLength={255}
        disabled={of !== undefined}
        {...form.getInputProps('externalId')}
      />
    </RecordForm>
  );
}
