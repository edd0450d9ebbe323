import { Switch, type SwitchProps } from '@mantine/core';
import { useAction } from './use-action.ts';

interface SavedSwitchProps<Result> extends Omit<SwitchProps, 'onChange'> {
  save(isOn: boolean): Promise<Result>;
  onSaved(result: Result, isOn: boolean): unknown;
}

/** A switch that is saved at once, and shows its new state before the server has responded. */
export function SavedSwitch<Result>({ checked = false, save, onSaved, ...props }: SavedSwitchProps<Result>) {
  const { mutate, isPending, variables } = useAction(save, onSaved);
  return (
    <Switch
      {...props}
      checked={isPending ? variables : checked}
      onChange={(event) => mutate(event.currentTarget.checked)}
    />
  );
}
