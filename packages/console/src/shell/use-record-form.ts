import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { changedFields, hasChanges, mergeChanges, type Nested, type OtherChange } from './conflict.ts';
import { type Submission, useSubmit } from './use-submit.ts';

interface RecordFormOptions<Saved, Values extends object, Result> {
  /** The record as it was opened; undefined for a new one. */
  of: Saved | undefined;
  /** Of a new record. */
  blank: Values;
  valuesOf(record: Saved): Values;
  validate?(base: Saved | undefined): UseFormInput<Values>['validate'];
  onValuesChange?(values: Values): void;
  create?(values: Values): Promise<Result>;
  /** Sends what this person changed in the version that is shown. */
  change(base: Saved, changed: Nested<Values>, values: Values): Promise<Result>;
  /** Reads the record as it is now. */
  reload(record: Saved): Promise<Saved>;
  /** Without a result, nothing was changed. */
  onSaved(result: Result | undefined): unknown;
}

interface RecordForm<Saved, Values extends object> {
  form: UseFormReturnType<Values>;
  submission: Submission;
  /** The version that is shown, which may be older than the cached one. */
  base: Saved | undefined;
  /** What someone else has saved meanwhile. */
  others: OtherChange[] | undefined;
  /** After a part of the record was changed outside of the form. */
  setBase(record: Saved): void;
  /** For a form that stays open after it was saved. */
  setSaved(record: Saved): void;
}

/**
 * A form that creates or changes a record. If someone else has changed it meanwhile, the form shows what they changed
 * and keeps what this person changed; saving again is on top of that version.
 */
export function useRecordForm<Saved, Values extends object, Result>(
  options: RecordFormOptions<Saved, Values, Result>,
): RecordForm<Saved, Values> {
  const { of, blank, valuesOf, validate, onValuesChange, create, change, reload, onSaved } = options;
  const [base, setBase] = useState(of);
  const [others, setOthers] = useState<OtherChange[]>();
  const form = useForm<Values>({
    initialValues: base ? valuesOf(base) : blank,
    validate: validate?.(base) ?? {},
    ...(onValuesChange && { onValuesChange }),
  });

  /** Keeps what this person changed, on top of another version; returns what is different in that one. */
  function continueOn(from: Saved, latest: Saved): OtherChange[] {
    const merged = mergeChanges(valuesOf(from), form.getValues(), valuesOf(latest));
    form.setInitialValues(valuesOf(latest));
    form.setValues(merged.values);
    setBase(latest);
    return merged.changes;
  }

  async function send(values: Values): Promise<Result | undefined> {
    if (!base) return create?.(values);
    const before = valuesOf(base);
    if (!hasChanges(before, values)) return undefined;
    try {
      return await change(base, changedFields(before, values), values);
    } catch (error) {
      if (isConflict(error)) {
        const latest = await reload(base);
        const changes = continueOn(base, latest);
        // Nothing that the form shows: an order may have changed the stock of a product.
        if (!changes.length) return change(latest, changedFields(before, values), values);
        setOthers(changes);
      }
      throw error;
    }
  }
  const submission = useSubmit(form, send, onSaved);
  return {
    form,
    // A conflict is shown by itself.
    submission: others && isConflict(submission.error) ? { ...submission, problem: undefined } : submission,
    base,
    others,
    setBase(record) {
      if (base) continueOn(base, record);
    },
    setSaved(record) {
      const values = valuesOf(record);
      form.setInitialValues(values);
      form.setValues(values);
      setBase(record);
      setOthers(undefined);
    },
  };
}

const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'precondition_failed';
