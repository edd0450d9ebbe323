import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { hasChanges } from './conflict.ts';
import { explain, type FormWithErrors, showFieldErrors } from './explain.ts';
import { useUnsavedWork, type Work } from './unsaved.tsx';

interface SubmittedForm<Values extends object> extends FormWithErrors {
  errors: object;
  getInitialValues(): Values;
  getValues(): Values;
  onSubmit(handle: (values: Values) => void, onInvalid: () => void): (event?: FormEvent<HTMLFormElement>) => void;
}

export interface Submission extends Work {
  onSubmit(event: FormEvent<HTMLFormElement>): void;
  isSending: boolean;
  error: unknown;
  /** An error that is not shown at a field. */
  problem: string | undefined;
}

/**
 * Submits a form, and asks before its unsaved values are lost. Field errors are shown at their fields; any other error
 * is returned as `problem`.
 */
export function useSubmit<Values extends object, Result>(
  form: SubmittedForm<Values>,
  send: (values: Values) => Promise<Result>,
  onDone: (result: Result) => unknown,
  onDiscard?: () => void,
): Submission {
  const { t } = useTranslation();
  const saved = useRef('');
  const element = useRef<HTMLFormElement>(null);
  // In the next frame, when the errors have been rendered.
  const focusFirstError = () =>
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ values }: { values: Values }) => send(values),
    onSuccess(result, { values }) {
      saved.current = JSON.stringify(values);
      return onDone(result);
    },
    onError(error) {
      showFieldErrors(form, error, t);
      focusFirstError();
    },
  });
  // A saved form may stay on the page for a moment, for example while its dialog closes.
  const work = useUnsavedWork(
    () => hasChanges(form.getInitialValues(), form.getValues()) && JSON.stringify(form.getValues()) !== saved.current,
    onDiscard,
  );
  const hasFieldErrors = Object.keys(form.errors).length > 0;
  return {
    ...work,
    onSubmit(event) {
      element.current = event.currentTarget;
      const submit = (values: Values) => {
        if (!isPending) mutate({ values });
      };
      form.onSubmit(submit, focusFirstError)(event);
    },
    isSending: isPending,
    error,
    problem: error && !hasFieldErrors ? explain(error, t) : undefined,
  };
}
