import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { reloadLists } from '../../api/orders.ts';
import { useTranslation } from '../../i18n/index.ts';
import { FormDialog } from '../../shell/form.tsx';
import { notify } from '../../shell/notify.tsx';
import { useSubmit } from '../../shell/use-submit.ts';
import { type LineProblem, readTrackingLines } from './tracking-lines.ts';

interface Report {
  changed: number;
  unchanged: number;
  failed: { line: string; problem: LineProblem | 'not_found' }[];
}

/** Sets the tracking numbers of many orders. Lines that failed stay in the field. */
export default function TrackingDialog({ storeId, onClose }: { storeId: string; onClose(): void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [report, setReport] = useState<Report>();
  const form = useForm({
    initialValues: { text: '' },
    validate: { text: (text) => (text.trim() ? null : t('fieldErrors.required')) },
  });
  const submission = useSubmit(
    form,
    async ({ text }: { text: string }): Promise<Report> => {
      const { lines, problems } = readTrackingLines(text);
      const orders = lines.map(({ number, trackingNumber }) => ({ number, trackingNumber }));
      const { results } = lines.length
        ? await call('POST /stores/{storeId}/orders/tracking', { params: { storeId }, body: { orders } })
        : { results: [] };
      const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
      const missing = results.flatMap(({ outcome }, index) =>
        outcome === 'not_found' ? [{ line: lines[index]?.line ?? '', problem: outcome }] : [],
      );
      return { changed: count('changed'), unchanged: count('unchanged'), failed: [...missing, ...problems] };
    },
    (done) => {
      reloadLists(queryClient, storeId);
      void queryClient.invalidateQueries({ queryKey: [{ storeId }] });
      if (!done.failed.length) {
        notify(t('orders.tracking.done', { changed: done.changed, unchanged: done.unchanged }));
        return onClose();
      }
      setReport(done);
      const rest = { text: done.failed.map(({ line }) => line).join('\n') };
      form.setInitialValues(rest);
      form.setValues(rest);
    },
  );
  return (
    <FormDialog
      submission={submission}
      title={t('orders.tracking.title')}
      action={t('orders.tracking.save')}
      size="lg"
      onClose={onClose}
    >
      <Textarea
        label={t('orders.tracking.lines')}
        description={t('orders.tracking.hint')}
        placeholder={'1024, RA123456789RU\n1025, RA123456790RU'}
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('text')}
      />
      {report && (
        <div role="status">
          <Text size="sm">{t('orders.tracking.done', { changed: report.changed, unchanged: report.unchanged })}</Text>
          <Text size="sm" c="var(--mantine-color-error)" mt="xs">
            {t('orders.tracking.failed', { count: report.failed.length })}
          </Text>
          <ul style={{ margin: 0, paddingLeft: 20, fontSize: 14 }}>
            {report.failed.map(({ line, problem }) => (
              <li key={line} style={{ overflowWrap: 'anywhere' }}>
                <span className="code-text">{line}</span>: {t(`orders.tracking.problems.${problem}`)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </FormDialog>
  );
}
