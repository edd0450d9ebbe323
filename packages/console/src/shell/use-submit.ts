import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { explain, type FaultyForm, showFaults } from './explain.ts';

interface SentForm<Values> extends FaultyForm {
  errors: object;
  onSubmit(handle: (values: Values) => void): (event?: FormEvent<HTMLFormElement>) => void;
}

/** A form that is being sent: faults go to their fields, anything else becomes one sentence above them. */
export function useSubmit<Values extends object, Answer>(
  form: SentForm<Values>,
  send: (values: Values) => Promise<Answer>,
  onDone: (answer: Answer) => unknown,
) {
  const { t } = useTranslation();
  const { mutate, isPending, error } = useMutation({
    mutationFn: ({ values }: { values: Values }) => send(values),
    onSuccess: onDone,
    onError: (error) => showFaults(form, error, t),
  });
  const isPlaced = Object.keys(form.errors).length > 0;
  return {
    onSubmit: form.onSubmit((values) => {
      if (!isPending) mutate({ values });
    }),
    isSending: isPending,
    problem: error && !isPlaced ? explain(error, t) : undefined,
  };
}
