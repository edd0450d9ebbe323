import { Switch } from '@mantine/core';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { keep } from '../../api/references.ts';
import { explain } from '../../shell/explain.ts';
import { notify } from '../../shell/notify.ts';

interface Switched {
  id: string;
  name: string;
  isActive: boolean;
}

interface ActiveSwitchProps<Shape extends Switched> {
  of: Shape;
  label: string;
  queryKey: QueryKey;
  save(isActive: boolean): Promise<Shape>;
}

/** Switches a record on and off; moves at once, and back if the server refuses. */
export function ActiveSwitch<Shape extends Switched>({ of: record, label, queryKey, save }: ActiveSwitchProps<Shape>) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: save,
    onSuccess: (changed) => keep(queryClient, { queryKey }, changed),
    onError: (error) => notify(explain(error, t), false),
  });
  return (
    <Switch
      aria-label={label}
      checked={isPending ? variables : record.isActive}
      onChange={(event) => mutate(event.currentTarget.checked)}
      withThumbIndicator={false}
    />
  );
}
