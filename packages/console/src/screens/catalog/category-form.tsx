import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Category } from '@store-sales/contract';
import { useQueryClient } from '@tanstack/react-query';
import { categoriesQuery, changeCategory, createCategory } from '../../api/catalog.ts';
import { reloadRecord } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import { sendChanges } from '../../shell/conflict.ts';
import { ConflictAlert } from '../../shell/conflict-alert.tsx';
import { notify } from '../../shell/notify.tsx';
import { useConflict } from '../../shell/use-conflict.ts';
import { useStore } from '../../shell/use-store.ts';
import { useSubmit } from '../../shell/use-submit.ts';
import { validators } from '../../shell/validators.ts';
import { RecordDialog, RecordForm } from '../references/record-dialog.tsx';
import { CategorySelect } from './category-select.tsx';
import { useTree } from './use-tree.ts';

/** A new category in a parent (`null`: top level), or an existing one. */
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

const withoutEmptyParent = ({ parentId, ...values }: Values) => ({ ...values, ...(parentId && { parentId }) });
const valuesOf = ({ name, parentId, externalId }: Category): Values => ({ name, parentId: parentId ?? '', externalId });

function CategoryForm({ edited, onClose }: { edited: Edited; onClose(): void }) {
  const { t } = useTranslation();
  const { id: storeId } = useStore();
  const queryClient = useQueryClient();
  const of = 'of' in edited ? edited.of : undefined;
  const { others, save, withoutConflict } = useConflict<Category, Values>({
    of,
    valuesOf,
    reload: (category) => reloadRecord(queryClient, categoriesQuery(storeId), category),
  });
  const { pathOf } = useTree();
  const form = useForm<Values>({
    initialValues: 'of' in edited ? valuesOf(edited.of) : { name: '', parentId: edited.in ?? '', externalId: '' },
    validate: { name: validators(t).required(200) },
  });
  const submission = useSubmit(
    form,
    (values: Values) =>
      save(form, values, (base) =>
        base
          ? sendChanges(valuesOf(base), values, undefined as Category[] | undefined, (changed) =>
              changeCategory(storeId, base, changed),
            )
          : createCategory(storeId, withoutEmptyParent(values)),
      ),
    (categories) => {
      if (categories) queryClient.setQueryData(categoriesQuery(storeId).queryKey, categories);
      notify(t(of ? 'common.saved' : 'catalog.tree.created'));
      onClose();
    },
  );
  return (
    <RecordForm
      submission={withoutConflict(submission)}
      action={t(of ? 'common.save' : 'catalog.create')}
      onCancel={onClose}
    >
      <ConflictAlert
        changes={others}
        labelOf={(field) => t(field === 'parentId' ? 'catalog.tree.parent' : 'catalog.name')}
        textOf={(field, value) => (field === 'parentId' ? pathOf(value) || t('catalog.tree.topLevel') : value)}
      />
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
