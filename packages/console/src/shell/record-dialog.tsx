import { useTranslation } from '../i18n/index.ts';
import type { OtherChange } from './conflict.ts';
import { ConflictAlert, type ConflictAlertProps } from './conflict-alert.tsx';
import { FormDialog, type FormDialogProps } from './form.tsx';
import type { Submission } from './use-submit.ts';

interface RecordDialogProps
  extends Omit<FormDialogProps, 'submission' | 'action'>,
    Pick<ConflictAlertProps, 'labelOf' | 'textOf'> {
  /** What `useRecordForm` returns. */
  record: { submission: Submission; base: unknown; others: OtherChange[] | undefined };
  /** The text of the button for a new record. */
  create?: string;
}

/** The form of a record, with what someone else has changed meanwhile. */
export function RecordDialog({ record, create = '', labelOf, textOf, children, ...props }: RecordDialogProps) {
  const { t } = useTranslation();
  const { submission, base, others } = record;
  return (
    <FormDialog {...props} submission={submission} action={base ? t('common.save') : create}>
      <ConflictAlert changes={others} labelOf={labelOf} {...(textOf && { textOf })} />
      {children}
    </FormDialog>
  );
}
