import { useMutation } from '@tanstack/react-query';
import { useTranslation } from '../i18n/index.ts';
import { explain } from './explain.ts';
import { notify } from './notify.tsx';

/** Something that a click does. If it fails, a notice says why. */
export function useAction<Result, Variables = void>(
  run: (variables: Variables) => Promise<Result>,
  onDone: (result: Result, variables: Variables) => unknown,
) {
  const { t } = useTranslation();
  return useMutation({ mutationFn: run, onSuccess: onDone, onError: (error) => notify(explain(error, t), false) });
}
