import type { UseFormInput } from '@mantine/form';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { updateCachedList } from '../../api/references.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { Nested } from '../../shell/conflict.ts';
import { notify } from '../../shell/notify.tsx';
import { useRecordForm } from '../../shell/use-record-form.ts';

interface ReferenceFormOptions<Saved, Values extends object> {
  /** Without it, the form creates a record. */
  of: Saved | undefined;
  list: { queryKey: QueryKey; queryFn?: unknown };
  blank: Values;
  valuesOf(record: Saved): Values;
  validate: UseFormInput<Values>['validate'];
  create(values: Values): Promise<Saved>;
  change(base: Saved, changed: Nested<Values>): Promise<Saved>;
  onClose(): void;
}

/** The form of a record of a list. */
export function useReferenceForm<Saved extends { id: string }, Values extends object>({
  of,
  list,
  validate,
  onClose,
  ...options
}: ReferenceFormOptions<Saved, Values>) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return useRecordForm<Saved, Values, Saved>({
    ...options,
    of,
    validate: () => validate,
    async reload(record) {
      const records = await queryClient.fetchQuery({ ...(list as { queryKey: QueryKey }), staleTime: 0 });
      return (records as Saved[]).find(({ id }) => id === record.id) ?? record;
    },
    onSaved(record) {
      if (record) updateCachedList(queryClient, list.queryKey, record);
      notify(t(of ? 'common.saved' : 'references.created'));
      onClose();
    },
  });
}
