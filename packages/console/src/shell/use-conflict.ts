import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { mergeChanges, type OtherChange } from './conflict.ts';

interface RebasedForm<Values extends object> {
  setInitialValues(values: Values): void;
  setValues(values: Values): void;
}

interface ConflictOptions<Saved, Values extends object> {
  /** The record as it was opened; undefined for a new one. */
  of: Saved | undefined;
  valuesOf(record: Saved): Values;
  /** Reads the record as it is now. */
  reload(record: Saved): Promise<Saved>;
}

/**
 * After a conflict, the form shows what the others changed and keeps what this person changed; saving again is on top of
 * that version.
 */
export function useConflict<Saved, Values extends object>({ of, valuesOf, reload }: ConflictOptions<Saved, Values>) {
  // The version that this person sees in the form, which may be older than the cached one.
  const [base, setBase] = useState(of);
  const [others, setOthers] = useState<OtherChange[]>();
  return {
    base,
    others,
    async save<Result>(
      form: RebasedForm<Values>,
      values: Values,
      send: (base: Saved | undefined) => Promise<Result>,
    ): Promise<Result> {
      try {
        return await send(base);
      } catch (error) {
        if (base && isConflict(error)) {
          const latest = await reload(base);
          const merged = mergeChanges(valuesOf(base), values, valuesOf(latest));
          form.setInitialValues(valuesOf(latest));
          form.setValues(merged.values);
          setBase(latest);
          setOthers(merged.changes);
        }
        throw error;
      }
    },
    /** For a form that stays open after it was saved. */
    setSaved(record: Saved) {
      setBase(record);
      setOthers(undefined);
    },
    /** The conflict is shown by itself, not as a problem. */
    withoutConflict: <Submission extends { error: unknown; problem: unknown }>(submission: Submission): Submission =>
      others && isConflict(submission.error) ? { ...submission, problem: undefined } : submission,
  };
}

const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'precondition_failed';
